// Makes report.png, the picture in the README, from the example: `node docs/images/make.cjs PROGRAM TOOLS`. PROGRAM is a built cited, TOOLS the folder with
// playwright-core that `.ci/test` installs (.tools/browser).
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const [program, tools] = process.argv.slice(2).map((name) => path.resolve(name));
const { chromium } = require(path.join(tools, "node_modules/playwright-core"));
const example = path.join(__dirname, "../../testdata/example");

(async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cited-"));
  const draft = "heat-pumps-draft.md";
  fs.readdirSync(example).forEach((name) => fs.copyFileSync(path.join(example, name), path.join(folder, name)));
  execFileSync(program, ["verify", draft, "--replay", "heat-pumps.warc.gz", "-o", "brief.md", "--report", "report.html", "-q"], { cwd: folder });
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, colorScheme: "light" });
  await page.goto("file://" + path.join(folder, "report.html"));
  await page.screenshot({ path: path.join(__dirname, "report.png") });
  await browser.close();
  fs.rmSync(folder, { recursive: true });
})();
