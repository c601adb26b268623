#!/usr/bin/env node
// Runs the program of this platform, which its own package carries.
"use strict";
const { spawnSync } = require("child_process");

const { platform, arch } = process;
const musl = platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
const name = `cited-${platform}-${arch}${musl ? "-musl" : ""}`;
let program;
try {
  program = require.resolve(`${name}/cited${platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`cited: there is no build for this platform (${name}); build it with: cargo install cited`);
  process.exit(2);
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) console.error(`cited: ${error.message}`);
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 2);
