// How large a report is and how fast it is in a browser.
//
//     node benches/report.cjs [CLAIMS] [SOURCES] [RUNS]
//
// Makes a draft and a web of this size (5000 claims on 500 sources unless told otherwise), runs `cited verify` on them and opens the report
// in a Chromium without a window, each run in a new one. Needs `cargo build --release` and `cargo build --release --package xtask` (or BIN=FOLDER with
// both), Chromium, and playwright-core as `.ci/test` installs it (or CITED_CHROMIUM and CITED_BROWSER_TOOLS). KEEP=FOLDER keeps what was made;
// a report that is there already is measured as it is.
"use strict";
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { spawn, spawnSync } = require("node:child_process");
const { createRequire } = require("node:module");

const root = path.join(__dirname, "..");
const [claims, sources, runs] = [5000, 500, 5].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const tools = createRequire(path.join(process.env.CITED_BROWSER_TOOLS ?? path.join(root, ".tools/browser"), "x.js"));
const { chromium } = tools("playwright-core");
const bin = path.resolve(process.env.BIN ?? path.join(root, "target/release"));
const folder = process.env.KEEP ? path.resolve(process.env.KEEP) : fs.mkdtempSync(path.join(os.tmpdir(), "cited-report-"));

// Numbers that are the same in every run of this program.
let state = 20240401;
const below = (most) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor((state / 2147483648) * most); };

// Of thirteen claims one has another number than its source, of eleven one is not in it, and of fifty sources one is gone. Half of the rest stand
// there in the same words, half among others.
function make() {
  const nouns = "network station charger tariff driver battery region contract survey demand supply grid depot market meter cable".split(" ");
  const facts = Array.from({ length: claims }, (_, i) => {
    const [a, b, c, d] = Array.from({ length: 4 }, () => nouns[below(nouns.length)]);
    const [number, year] = [100 + below(99900), 2005 + below(20)];
    const told = (count) => `The ${a} ${b} of region ${1 + (i % 97)} counted ${count.toLocaleString("en")} ${c}s and ${d}s in ${year}`;
    return { source: 1 + (i % sources), claim: told(number), other: told(number + 1500) };
  });
  const web = {};
  for (let source = 1; source <= sources; source++) {
    const of = facts.map((fact, i) => ({ ...fact, i })).filter((fact) => fact.source === source && fact.i % 11 !== 5);
    const sentence = ({ claim, other, i }) => {
      const said = i % 13 === 7 ? other : claim;
      return i % 2 ? `${said}.` : `By its own account of that year, ${said[0].toLowerCase()}${said.slice(1)}, more than the year before.`;
    };
    const address = `http://host${source}.example/report`;
    web[address] = source % 50 ? { title: `Regional report ${source} on charging and markets`, text: of.map(sentence).join("\n\n") } : { status: 404 };
  }
  const lines = ["# A very long report", ""];
  for (let i = 0; i < claims; i += 10) {
    if (i % 100 === 0) lines.push(`## Part ${i / 100 + 1}`, "");
    lines.push(facts.slice(i, i + 10).map((fact) => `${fact.claim} [${fact.source}].`).join(" "), "");
  }
  lines.push("## Sources", "");
  for (let source = 1; source <= sources; source++) {
    lines.push(`${source}. Regional report ${source} on charging and markets — http://host${source}.example/report`);
  }
  fs.writeFileSync(path.join(folder, "web.json"), JSON.stringify(web));
  fs.writeFileSync(path.join(folder, "draft.md"), lines.join("\n") + "\n");
}

async function verify() {
  const server = spawn(path.join(bin, "xtask"), ["testserver", path.join(folder, "web.json"), "--until-eof"], { stdio: ["pipe", "pipe", "inherit"] });
  const told = await new Promise((done) => server.stdout.once("data", done));
  const { connect_to: to, ca } = JSON.parse(told);
  const network = [...to.flatMap((one) => ["--connect-to", one]), "--cacert", ca, "--archive", "none", "--cache", "off", "--pause", "0", "--progress", "never"];
  // A process of its own keeps this one from serving nobody while it waits.
  const run = spawn(path.join(bin, "cited"), ["verify", "draft.md", "-o", "brief.md", "--report", "report.html", "--force", "-q", ...network], { cwd: folder, stdio: "inherit" });
  await new Promise((done) => run.once("exit", done));
  server.stdin.end();
  const begun = performance.now();
  const written = spawnSync(path.join(bin, "cited"), ["render", "brief.record.json", "-o", "again.html", "-q"], { cwd: folder, stdio: "inherit" });
  if (written.status !== 0) throw new Error("the report could not be made of its record");
  console.log(`record to report, the whole program: ${((performance.now() - begun) / 1000).toFixed(2)} s`);
}

// Does something in the page, and waits until the frame that shows it has been drawn: the time that passes, and the processor time of the page's
// main thread, which other programs on the machine do not change.
async function drawn(page, act, value) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => 1000 * (await session.send("Performance.getMetrics")).metrics.find((one) => one.name === "TaskDuration").value;
  const before = await spent();
  const passed = await done(page, act, value);
  const own = (await spent()) - before;
  await session.detach();
  return { passed, own };
}

const done = (page, act, value) => page.evaluate(async ([act, value]) => {
  const acts = {
    filter: ([name, wanted]) => { const field = document.querySelector(`.view.now .filters [name=${name}]`); field.value = wanted; field.dispatchEvent(new Event("input", { bubbles: true })); },
    click: (selector) => document.querySelector(selector).click(),
    open: (at) => { const places = document.querySelectorAll(".doc a.c"); places[Math.floor(places.length * at)].click(); },
  };
  const begun = performance.now();
  acts[act](value);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - begun;
}, [act, value]);

const scrolled = (page) => page.evaluate(() => new Promise((done) => {
  const [times, steps] = [[], 150];
  let last = performance.now();
  const step = () => {
    const now = performance.now();
    times.push(now - last);
    last = now;
    scrollBy(0, 400);
    if (times.length < steps) requestAnimationFrame(step);
    else { times.sort((a, b) => a - b); done([times[steps / 2], times[Math.floor(steps * 0.95)], times[steps - 1]]); }
  };
  requestAnimationFrame(step);
}));

async function measure() {
  const seen = new Map();
  const keep = (what, value) => seen.set(what, [...(seen.get(what) ?? []), value]);
  for (let run = 0; run < runs; run++) {
    const browser = await chromium.launch({ executablePath: process.env.CITED_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto("file://" + path.join(folder, "report.html"));
    await page.waitForSelector("html.ready");
    const [paint, ready] = await page.evaluate(() => [performance.getEntriesByName("first-contentful-paint")[0].startTime, performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd]);
    keep("first contentful paint", { passed: paint });
    keep("ready for the keyboard", { passed: ready });
    keep("open the view of claims", await drawn(page, "click", "nav a[data-to=claims]"));
    await page.waitForTimeout(1500);
    for (const [name, value, what] of [
      ["verdict", "conflicts", "filter: conflicts"], ["verdict", "", "filter: all again"], ["q", "battery survey", "filter: two words"],
      ["q", "", "filter: no words"], ["source", "7", "filter: a source"], ["source", "", "filter: all sources"], ["reason", "dead-source", "filter: a reason"], ["reason", "", "filter: all reasons"],
    ]) keep(what, await drawn(page, "filter", [name, value]));
    for (const view of ["claims", "document"]) {
      await drawn(page, "click", `nav a[data-to=${view}]`);
      const [median, most, longest] = await scrolled(page);
      keep(`scroll ${view}: a frame, median`, { passed: median });
      keep(`scroll ${view}: a frame, 95 of 100`, { passed: most });
      keep(`scroll ${view}: the longest frame`, { passed: longest });
    }
    keep("open a claim", await drawn(page, "open", 0.5));
    keep("side by side", await drawn(page, "click", "#m-split"));
    await browser.close();
  }
  console.log(`Chromium, ${runs} runs, load ${os.loadavg().map((load) => load.toFixed(1)).join(" ")}; ms: least, median, most; then of processor time of the page`);
  const three = (values) => {
    values.sort((a, b) => a - b);
    return [values[0], values[Math.floor(values.length / 2)], values[values.length - 1]].map((value) => String(Math.round(value)).padStart(6)).join(" ");
  };
  for (const [what, all] of seen) {
    const own = all.map((one) => one.own).filter((one) => one !== undefined);
    console.log(`${what.padEnd(34)} ${three(all.map((one) => one.passed))} ${own.length ? "  |" + three(own) : ""}`);
  }
}

(async () => {
  fs.mkdirSync(folder, { recursive: true });
  if (!fs.existsSync(path.join(folder, "report.html"))) {
    make();
    await verify();
  }
  const report = fs.readFileSync(path.join(folder, "report.html"));
  console.log(`${claims} claims, ${sources} sources: report ${(report.length / 1e6).toFixed(2)} MB, draft ${(fs.statSync(path.join(folder, "draft.md")).size / 1e6).toFixed(2)} MB`);
  await measure();
  if (!process.env.KEEP) fs.rmSync(folder, { recursive: true });
})().catch((error) => { console.error(error); process.exit(1); });
