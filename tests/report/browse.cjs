// Opens reports in a real Chromium: node browse.cjs FOLDER, a folder that tests/report.rs has made. Prints what is wrong, a line each, and
// "ok N" with the number of things that were looked at. Each part says what it expects; nothing is compared with an earlier picture.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { createRequire } = require("node:module");
const tools = createRequire(path.join(process.env.CITED_BROWSER_TOOLS, "x.js"));
const { chromium } = tools("playwright-core");
const axe = fs.readFileSync(tools.resolve("axe-core/axe.min.js"), "utf8");

const folder = path.resolve(process.argv[2]);
const file = (name) => "file://" + path.join(folder, name);
const faults = [];
let looked = 0;
const expect = (what, found, wanted) => {
  looked += 1;
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) faults.push(`${what}: ${a}, expected ${b}`);
};

let browser;
async function page(what, { width = 1280, height = 900, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...options });
  const made = await context.newPage();
  made.on("console", (message) => { if (message.type() !== "log") faults.push(`${what}: console ${message.type()}: ${message.text()}`); });
  made.on("pageerror", (error) => faults.push(`${what}: error: ${error.message}`));
  made.on("dialog", (dialog) => { faults.push(`${what}: dialog: ${dialog.message()}`); dialog.dismiss(); });
  made.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("file:") && !url.startsWith("blob:") && !url.startsWith("http://127.0.0.1:")) faults.push(`${what}: request: ${url}`);
  });
  return made;
}

// axe runs in a world of its own, as the page lets no other script in.
async function check(what, made) {
  const session = await made.context().newCDPSession(made);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: "axe" });
  const run = async (expression) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  await run(axe + ";1");
  const found = await run(`axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
    .then((done) => done.violations.map((one) => one.id + ": " + one.nodes.slice(0, 3).map((node) => node.target.join(" ") + " " + (node.any[0]?.message ?? "")).join(" | ")))`);
  expect(`axe, ${what}`, found, []);
  await session.detach();
}

const wide = (made) => made.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const views = (made) => made.$$eval("nav a", (links) => links.map((link) => link.dataset.to));
// What a page does a moment after a click: it is waited for, and told by the expectation behind it when it does not come.
const becomes = (made, ready) => made.waitForFunction(ready, null, { timeout: 10000 }).catch(() => {});
const open = async (made, view) => { await made.click(`nav a[data-to=${view}]`); };

async function everyView() {
  const all = [1440, 1024, 768, 360].flatMap((width) => [["light", width], ["dark", width]]);
  for (const [scheme, width] of all) {
    // Pages of other commands are made of the same parts.
    const others = (scheme === "light") === (width > 1024) && [1440, 360].includes(width) ? ["check.html", "gate.html", "audit.html"] : [];
    for (const name of ["report.html", ...others]) {
      const what = `${name} ${scheme} ${width}`;
      const made = await page(what, { colorScheme: scheme, width });
      await made.goto(file(name));
      for (const view of await views(made)) {
        await open(made, view);
        expect(`${what} ${view} is shown alone`, await made.$$eval(".view", (all) => all.filter((one) => one.offsetParent).map((one) => one.dataset.view)), [view]);
        expect(`${what} ${view} fits`, await wide(made) <= 0, true);
        await check(`${what} ${view}`, made);
      }
      if (name === "report.html") {
        await made.goto(file(name) + "#document?claim=c2");
        await check(`${what} with a claim open`, made);
        await made.click("#m-split", { force: true });
        expect(`${what} side by side fits`, await wide(made) <= 0, true);
        await check(`${what} side by side`, made);
      }
      await made.context().close();
    }
  }
}

// No claim at all, and nothing that stays.
async function extremes() {
  for (const [name, scheme] of [["empty.html", "light"], ["gone.html", "dark"]]) {
    const made = await page(name, { colorScheme: scheme });
    await made.goto(file(name));
    for (const view of await views(made)) {
      await open(made, view);
      await check(`${name} ${view}`, made);
      expect(`${name} ${view} says something`, (await made.innerText(`#view-${view}`)).trim().length > 0, true);
    }
    await made.context().close();
  }
  const made = await page("everything goes");
  await made.goto(file("gone.html") + "#document?mode=is");
  const left = await made.innerText(".doc");
  expect("what goes is not in the document as it is", /users in 2023 \[1\]/.test(left), false);
  await made.context().close();
}

// A claim says which check decided and how a source was ruled on, all in words.
async function words() {
  const made = await page("words");
  await made.goto(file("report.html") + "#document?claim=c2");
  const panel = () => made.innerText("#panel");
  const head = await made.textContent(".verdict") + ", " + await made.textContent(".lead");
  const [first, claims, ...others] = head.split(/[;(]/)[0].match(/\b[0-9]+\b/g).map(Number);
  expect("the counts under the title add up", first + others.reduce((a, b) => a + b, 0), claims);
  const confirmed = Number(/([0-9]+) confirmed/.exec(head)[1]);
  expect("what is to decide", await made.innerText("#done"), `0 of ${claims - confirmed} decided`);
  expect("why a button cannot be pressed", /Drop: it is removed already/.test(await panel()), true);
  expect("what to look at is gone while a claim is open", await made.locator("#look").isVisible(), false);
  await made.keyboard.press("Escape");
  expect("what to look at, and where it leads", [await made.locator("#look").isVisible(), await made.locator("#look a[href='#c2']").count()], [true, 1]);
  await made.click("#look a[href='#c2']");
  expect("what a number beside a verdict is", /✗ conflicts, support \d+%/.test(await panel()), true);
  expect("what it gave", /the claim has 2011, the source 2009/.test(await panel()), true);
  await made.goto(file("report.html") + "#document?claim=c4");
  expect("how its source was ruled on", /the server says that the page is not there/.test(await panel()), true);
  await made.goto(file("report.html") + "#document?mode=changes");
  const shown = (all) => all.filter((one) => one.offsetParent).length;
  const removed = Number(await made.innerText("nav a[data-to=removed] .n"));
  expect("the list of what was removed is a change", await made.$$eval(".doc .row.new li", shown), removed);
  const empty = (heads) => heads.filter((head) => head.offsetParent && !head.closest(".row").matches(".above")).length;
  expect("no heading without a change", await made.$$eval(".doc > .row:not(.new) > .cell > :is(.h1, .h2)", empty), 0);
  await open(made, "sources");
  await made.click("#s1 details:last-child > summary");
  expect("the rule of a source", /nothing speaks against the page/.test(await made.innerText("#s1")), true);
  await made.context().close();
}

async function languages() {
  for (const name of ["arabic.html", "cjk.html"]) {
    const made = await page(name, { width: 360, height: 780 });
    await made.goto(file(name));
    expect(`${name} fits`, await wide(made) <= 0, true);
    const side = await made.$eval(".doc p", (one) => getComputedStyle(one).direction);
    expect(`${name} direction`, side, name === "arabic.html" ? "rtl" : "ltr");
    const list = await made.$$eval(".doc ul", (all) => all.map((one) => getComputedStyle(one).direction));
    if (name === "arabic.html") expect(`${name} lists`, [...new Set(list)], ["rtl"]);
    const tables = await made.$$eval(".doc .wide, .doc table, .doc .new ins", (all) => all.map((one) => getComputedStyle(one).direction));
    expect(`${name} tables and what comes`, [...new Set(tables)], [side]);
    await made.context().close();
  }
  const zoomed = await page("200% zoom", { width: 640, height: 450, deviceScaleFactor: 2 });
  await zoomed.goto(file("report.html"));
  for (const view of await views(zoomed)) {
    await open(zoomed, view);
    expect(`200% zoom ${view} fits`, await wide(zoomed) <= 0, true);
  }
  await zoomed.context().close();
}

async function withoutScript() {
  const made = await page("without script", { javaScriptEnabled: false });
  await made.goto(file("report.html"));
  const shown = await made.locator(".view").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height > 20)).catch(() => null);
  if (shown) expect("without script all views are there", shown.includes(false), false);
  expect("without script a claim can be read", await made.locator("#c2 .says > q").first().isVisible(), true);
  expect("without script no filters", await made.locator(".filters").first().isVisible(), false);
  await made.context().close();
}

async function print() {
  const made = await page("print");
  await made.goto(file("report.html"));
  fs.writeFileSync(path.join(folder, "print.pdf"), await made.pdf({ format: "A4" }));
  await made.emulateMedia({ media: "print" });
  const printed = () => made.$$eval(".view, #look", (all) => all.filter((one) => one.offsetHeight > 0).map((one) => [one.getBoundingClientRect().top, one.dataset.view ?? "look"]).sort(([a], [b]) => a - b).map(([, name]) => name));
  expect("what is printed, in this order", await printed(), ["look", "summary", "document", "sources", "removed"]);
  await made.emulateMedia({ media: null });
  await open(made, "summary");
  await made.check("#print-claims");
  fs.writeFileSync(path.join(folder, "print-claims.pdf"), await made.pdf({ format: "A4" }));
  await made.emulateMedia({ media: "print" });
  expect("claims on wish", (await printed()).includes("claims"), true);
  expect("print hides what is pressed", await made.$$eval("nav, .review, .filters, .outline, .wish", (all) => all.some((one) => one.offsetHeight > 0)), false);
  await made.context().close();
}

async function filters() {
  const made = await page("filters");
  await made.goto(file("report.html") + "#claims?verdict=confirmed");
  const left = () => made.$$eval(".claims article", (all) => all.filter((one) => one.offsetParent).map((one) => one.dataset.v));
  expect("the filter of the address", new Set(await left()).size === 1 && (await left())[0], "confirmed");
  expect("its field", await made.$eval("select[name=verdict]", (field) => field.value), "confirmed");
  await made.selectOption("select[name=verdict]", "");
  await made.fill(".filters input[name=q]", "640");
  const all = await left();
  expect("words", all.length > 0 && all.length < (await made.$$(".claims article")).length, true);
  expect("the address of words", await made.evaluate(() => location.hash), "#claims?q=640");
  await made.fill(".filters input[name=q]", "nothing has these words");
  expect("nothing is said", await made.locator("[data-view=claims] .none").isVisible(), true);
  await made.click(".filters button[type=reset]");
  await becomes(made, () => [...document.querySelectorAll(".claims article")].every((one) => one.offsetParent));
  expect("cleared", (await left()).length, (await made.$$(".claims article")).length);
  // By the number of a source in the brief, from an address that somebody was sent; and what still asks for a decision.
  await made.goto("about:blank");
  await made.goto(file("report.html") + "#claims?source=1");
  const stands = await made.$$eval(".claims article", (found) => found.filter((one) => one.offsetParent).map((one) => one.querySelector(".says a").textContent.startsWith("[1] ")));
  expect("the claims of a source", stands.length > 0 && !stands.includes(false), true);
  await made.click(".filters button[type=reset]");
  await made.selectOption("select[name=review]", "open");
  const asked = await made.$$eval(".claims article", (found) => found.filter((one) => one.offsetParent).map((one) => "ask" in one.dataset));
  expect("what asks for a decision", asked.length > 0 && !asked.includes(false), true);
  await made.click(".filters button[type=reset]");
  // A view is as it was left.
  await open(made, "claims");
  await made.selectOption("select[name=verdict]", "confirmed");
  await open(made, "document");
  await open(made, "claims");
  expect("a filter outlives a look at another view", new Set(await left()), new Set(["confirmed"]));
  await made.click("#view-claims button[type=reset]");
  // Why somebody should look: by the findings on the claims.
  const reasons = await made.$$eval("select[name=reason] option", (all) => all.map((one) => one.value).filter(Boolean));
  expect("reasons", reasons.includes("number-mismatch") && reasons.includes("dead-source"), true);
  await made.selectOption("select[name=reason]", "number-mismatch");
  expect("claims by reason", await made.$$eval(".claims article", (all) => all.filter((one) => one.offsetParent).map((one) => one.id)), ["c2"]);
  await made.click("#view-claims button[type=reset]");
  // What was found on a claim is told there alone; of findings on something else what weighs most comes first.
  await open(made, "findings");
  const weight = { error: 0, warning: 1, note: 2 };
  const weights = await made.$$eval("#view-findings article .state > b", (all) => all.map((one) => one.textContent.split(" ").pop()));
  expect("findings by weight", weights, [...weights].sort((a, b) => weight[a] - weight[b]));
  expect("findings on claims", await made.$$eval("#view-findings article .state > .no", (all) => all.map((one) => one.textContent).filter((code) => code === "number-mismatch")), []);
  expect("what to do about one", await made.$eval("#c2 .remedy", (one) => one.textContent.startsWith("What to do: ")), true);
  // The claims of a source with their words.
  await open(made, "sources");
  await made.click("#s1 .stands > summary");
  await becomes(made, () => document.querySelector("#s1 .stands").textContent.includes("Beta was founded in 2011"));
  expect("the claims of a source have their words", await made.$eval("#s1 .stands", (one) => one.textContent.includes("Beta was founded in 2011")), true);
  await made.context().close();
}

async function documentModes() {
  const made = await page("modes");
  await made.goto(file("report.html"));
  const seen = (selector) => made.$$eval(".doc " + selector, (all) => all.some((one) => one.offsetParent !== null && one.offsetHeight > 0));
  const mode = (id) => made.click("#m-" + id, { force: true });
  expect("one text", [await seen("del"), await seen("ins")], [true, true]);
  // A source list that is written anew, entry by entry.
  const entries = await made.$$eval(".doc > .row:last-child li", (all) => all.map((one) => one.innerHTML));
  expect("an entry that goes", entries.filter((entry) => entry.includes("Delta survey")), ['<span class="nr"><del>2.</del></span> <del>Delta survey — https://delta.example/survey</del>']);
  expect("an entry with another number", entries.filter((entry) => entry.includes("Grid report")), ['<span class="nr"><del class="re">3.</del><ins class="re">2.</ins></span> Grid report — https://grid.example/report']);
  await mode("was");
  expect("as it was", [await seen("del"), await seen("ins")], [true, false]);
  await mode("is");
  expect("as it is", [await seen("del"), await seen("ins")], [false, true]);
  await mode("changes");
  const same = await made.$$eval(".doc .row:not(.new) :is(li, tr:not(.th))", (all) => all.filter((one) => one.offsetHeight > 0 && !one.querySelector("del:not(.re), ins:not(.re)")).length);
  expect("only what changes of lists and tables", same, 0);
  const rows = await made.$$eval(".doc .row:not(.ch)", (all) => all.filter((one) => one.offsetHeight > 0 && !one.querySelector(".h1, .h2")).length);
  expect("only changes", rows, 0);
  await mode("split");
  expect("side by side", await made.$$eval(".doc .row", (all) => all.every((one) => one.children.length === 2)), true);
  await made.click(".doc .cell:first-child a[href='#c2']");
  await made.keyboard.press("a");
  const shown_ = (side) => made.$$eval(`.doc .cell:${side}-child a[href='#c2']`, (all) => all.map((one) => [one.offsetParent !== null && one.offsetWidth > 0, one.classList.contains("yes")]));
  expect("what goes is decided on the side where it stands", [await shown_("first"), (await shown_("last")).map(([seen_]) => seen_)], [[[true, true]], [false]]);
  await mode("one");
  expect("one text again", await made.$$eval(".doc .row", (all) => all.every((one) => one.children.length === 1)), true);
  await made.context().close();
}

const told = (made) => made.textContent("#done");
const opened = (made) => made.$eval("#panel article > p > a", (link) => link.textContent);
const removed = (made) => made.$$eval("#view-removed li:not(.off) a.no", (all) => all.map((one) => one.textContent));
const pressed = (made) => made.$$eval("#panel [data-choice][aria-pressed=true]", (all) => all.map((one) => one.dataset.choice));
const export_ = async (made, name) => {
  await made.click("#finish");
  const [download] = await Promise.all([made.waitForEvent("download"), made.click("#panel .end li button >> text=Download")]);
  await download.saveAs(path.join(folder, name));
  return JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
};

// Which claims: those of tests/report.rs. c2 is removed for another number, c3 is supported, c4 stands on a source that is gone.
async function reviewByMouse() {
  const made = await page("review by mouse");
  await made.goto(file("report.html"));
  await made.fill("#who", "Ada");
  const first = await told(made);
  await made.click(".doc a[href='#c2']");
  expect("the panel is open", await made.locator("#panel").isVisible(), true);
  await made.click("#panel [data-choice=restore]");
  expect("the next one opens by itself", [await opened(made), await made.textContent("#panel .last")], ["c4", "c2 restored Undo"]);
  await made.click("#panel .last button");
  expect("taken back", [await opened(made), await pressed(made)], ["c2", []]);
  await made.click("#panel [data-choice=restore]");
  await made.click(".doc a[href='#c2']");
  expect("restored", await pressed(made), ["restore"]);
  const shown = (id) => made.$eval(`.doc a[href='#${id}']`, (one) => [one.dataset.d ?? "", getComputedStyle(one).textDecorationLine.includes("line-through")]);
  expect("what is restored is not struck any more", await made.$eval(".doc a[href='#c2'] del", (one) => [one.closest("a").dataset.d, getComputedStyle(one).textDecorationLine]), ["restored", "none"]);
  expect("what is restored is not among what is removed", await removed(made), ["c4"]);
  await made.fill("#panel textarea", "The page is about another year <b>");
  await made.locator("#panel textarea").blur();
  await made.click("#panel .bar button >> text=Close");
  expect("the panel is closed", await made.locator("#panel").isVisible(), false);
  await made.click(".doc a[href='#c3']");
  await made.click("#panel [data-choice=mark]");
  await made.click("#panel [data-choice=drop]");
  await made.click("#undo");
  expect("undone", await pressed(made), ["mark"]);
  await made.click(".doc a[href='#c4']");
  await made.click("#panel [data-choice=accept]");
  await made.click(".doc a[href='#c5']");
  await made.fill("#panel textarea", "seen");
  await made.click("#panel [data-choice=drop]");
  expect("a click behind a note is a decision", await shown("c5"), ["dropped", true]);
  await made.click("#undo");
  await made.click("#undo");
  await made.click(".doc a[href='#c5']");
  await made.click("#panel [data-choice=drop]");
  expect("progress", [first === (await told(made)), /^\d+ of \d+ decided, 2 more$/.test(await told(made))], [false, true]);
  expect("what is dropped is struck", await shown("c5"), ["dropped", true]);
  expect("what is dropped is among what is removed", await removed(made), ["c4", "c5"]);
  expect("so does the count say", await made.textContent("nav a[data-to=removed] .n"), "2");
  expect("a decision is told once in the panel", await made.locator("#panel .decided").count(), 1);
  const file_ = await export_(made, "mouse.json");
  const command = await made.innerText("#command code");
  expect("what to run with it", command.replace(/ --connect-to .* --cacert \S+ --archive none --cache off/, " …"), "cited verify draft.md -o report.md --report report.html --force … --now 2024-04-01T00:00:00Z --decisions decisions.json");
  expect("the end, with the counts of the first line", await made.innerText("#panel .end p >> nth=0"), "After this, the brief will have 10 of 12 claims: 2 removed, 1 back, 1 marked.");
  expect("who decided", await made.innerText("#panel .end .n"), "decisions.json has 4 decisions");
  const dropped = "#view-removed li:has(a[href='#c5'])";
  expect("where it stood, and who dropped it", [await made.textContent(dropped + " .place"), await made.textContent(dropped + " .why")], ["line 3", "dropped by Ada"]);
  const listed = await made.$$eval(".doc > .row.new li", (rows) => rows.map((row) => row.textContent));
  expect("as the brief will say it", listed.filter((row) => row.includes("dropped by")), ["“Revenue of Beta rose to 180 million euros in 2023.” — dropped by Ada"]);
  expect("decisions", file_.decisions.map((one) => [one.claim_id, one.decision, one.who, one.why]), [
    ["c2", "restore", "Ada", "The page is about another year <b>"], ["c3", "mark", "Ada", ""], ["c4", "accept", "Ada", ""], ["c5", "drop", "Ada", ""],
  ]);
  await made.reload();
  await made.fill("#who", "");
  await made.click("#finish");
  expect("who decided, also where no name stands above", await made.innerText("#panel .end .n"), "by Ada");
  expect("the browser has kept them", (await export_(made, "again.json")).decisions.length, 4);
  await made.context().close();
}

async function reviewByKeyboard() {
  const made = await page("review by keyboard");
  await made.goto(file("report.html"));
  const key = async (...keys) => { for (const one of keys) await made.keyboard.press(one); };
  const at = () => made.$eval("#panel article > p > a", (link) => link.textContent);
  await key("j", "j");
  await key("Enter");
  expect("opened by Enter", await at(), "c2");
  await key("n");
  await made.keyboard.type("by keys");
  await key("Escape", "r");
  expect("the next one by itself", await at(), "c4");
  await key("k");
  expect("the one before", await at(), "c3");
  await key("m", "j", "a");
  while ((await at()) !== "c5") await key("k");
  await key("d", "d", "u", "d", "k");
  expect("before the last", await at(), "c4");
  await key("Escape");
  expect("closed by Escape", await made.locator("#panel").isVisible(), false);
  expect("focus is back", await made.evaluate(() => document.activeElement.getAttribute("href")), "#c4");
  await key("/");
  expect("a field to search in", await made.evaluate(() => [document.activeElement.name, location.hash]), ["q", "#claims"]);
  const file_ = await export_(made, "keys.json");
  expect("decisions by keys", file_.decisions.map((one) => [one.claim_id, one.decision, one.why]), [
    ["c2", "restore", "by keys"], ["c3", "mark", ""], ["c4", "accept", ""], ["c5", "drop", ""],
  ]);
  await made.context().close();
}

// What a reviewer needs stays at hand: how far the review is, the buttons, the way to the next claim and to its page.
async function atHand() {
  for (const [width, height] of [[1280, 560], [360, 640]]) {
    const what = `at hand, ${width} wide`;
    const made = await page(what, { width, height });
    await made.goto(file("report.html"));
    const inSight = (selector) => made.$eval(selector, (one) => { const { top, bottom } = one.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; });
    await made.click("#next");
    expect(`${what}: the first that asks`, await made.$eval("#panel article > p > a", (link) => link.textContent), "c2");
    expect(`${what}: its page`, await made.$eval("#panel .says a.url", (link) => [link.href, link.rel, link.target]), ["https://beta.example/study", "noreferrer", "_blank"]);
    expect(`${what}: the reason says no address again`, /https:/.test(await made.innerText("#panel .why")), false);
    expect(`${what}: the buttons`, await inSight("#panel [data-choice=accept]"), true);
    await made.keyboard.press("a");
    expect(`${what}: the next that asks`, await made.$eval("#panel article > p > a", (link) => link.textContent), "c4");
    await made.evaluate(() => scrollTo(0, document.body.scrollHeight));
    expect(`${what}: how far it is`, [await inSight("#done"), await inSight("#undo"), await inSight("#finish")], [true, true, true]);
    await made.click("#undo");
    expect(`${what}: what is undone is shown`, await made.$eval("#panel article > p > a", (link) => link.textContent), "c2");
    await made.keyboard.press("Escape");
    const top = () => made.$eval(".doc a[href='#c1']", (one) => one.getBoundingClientRect().top + scrollY);
    const before = await top();
    await made.click(".doc a[href='#c1']");
    expect(`${what}: a claim that opens moves no text`, await top(), before);
    await made.keyboard.press("Escape");
    await open(made, "removed");
    await made.click(".gone-list .text >> nth=0");
    expect(`${what}: what was removed opens where it is told`, [await made.locator("#panel").isVisible(), await made.locator("#view-removed").isVisible()], [true, true]);
    await made.context().close();
  }
}

// A long document has an outline, by mouse and by keyboard, with what asks below each heading.
async function outline() {
  const made = await page("outline");
  await made.goto(file("preview.html"));
  await made.focus(".outline > summary");
  await made.keyboard.press("Enter");
  const entries = await made.$$eval(".outline li", (all) => all.map((one) => one.textContent));
  expect("headings", entries.map((entry) => entry.replace(/ \d+ to decide$/, "")), ["Charging in the north", "Networks", "Use", "Sectors", "Growth", "Plans", "Sources"]);
  expect("what asks below them", entries.some((entry) => / to decide$/.test(entry)), true);
  await made.click(".outline a >> text=Plans");
  expect("where it leads", await made.evaluate(() => document.activeElement.textContent), "Plans");
  await open(made, "sources");
  expect("what opens more is large enough for a finger", await made.$$eval(".stands > summary", (all) => all.filter((one) => one.offsetHeight < 24).length), 0);
  await made.goto(file("report.html"));
  expect("none over few headings", await made.locator(".outline").count(), 0);
  await made.context().close();
}

// Random decisions, by mouse and by keyboard: what the page then shows is kept for tests/report.rs, which holds it against what a run makes of the file.
async function preview() {
  let seed = Number(process.env.CITED_SEED ?? 7);
  const random = (below) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % below; };
  for (let turn = 0; turn < 8; turn += 1) {
    const made = await page(`preview ${turn}`);
    await made.goto(file("preview.html"));
    await made.fill("#who", "Ada");
    await made.locator("#who").blur();
    const ids = await made.$$eval(".claims article", (all) => all.map((one) => one.id));
    const share = 2 + turn % 3;
    for (const id of ids) {
      if (random(share)) continue;
      await made.evaluate((name) => { location.hash = "#" + name; }, id);
      await made.waitForFunction((name) => document.querySelector("#panel article > p > a")?.textContent === name, id);
      const open_ = await made.$$eval("#panel [data-choice]:not(:disabled)", (all) => all.map((one) => one.dataset.choice));
      const choice = open_[random(open_.length)];
      await (turn % 2 ? made.keyboard.press(choice[0]) : made.click(`#panel [data-choice=${choice}]`));
    }
    const struck = (all) => all.every((one) => getComputedStyle(one).textDecorationLine === "line-through");
    expect("what a decision takes away is struck, whatever its verdict", await made.$$eval(".doc .c.falls", struck), true);
    const shown = await made.evaluate(() => {
      // The signs of verdicts are no words of the document.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".doc .c i { display: none; }");
      document.adoptedStyleSheets.push(sheet);
      const ids = (selector) => Array.from(document.querySelectorAll(selector), (one) => one.textContent);
      return { removed: ids("#view-removed li:not(.off) a.no"), lead: document.querySelector(".lead").textContent };
    });
    await made.keyboard.press("Escape");
    await open(made, "document");
    await made.click("#m-is", { force: true });
    shown.text = await made.$$eval(".doc > .row:not(.new)", (all) => all.filter((one) => one.checkVisibility()).map((one) => one.innerText).join("\n"));
    const list = await made.$$eval(".doc > .row.new li", (all) => all.filter((one) => one.offsetHeight > 0).map((one) => one.textContent));
    shown.list = list.map((line) => /^“(.*)”/s.exec(line)?.[1]).filter(Boolean);
    await export_(made, `preview-${turn}.json`);
    fs.writeFileSync(path.join(folder, `preview-${turn}.shown.json`), JSON.stringify(shown));
    await made.context().close();
  }
}

// A report of a run with decisions has them as decided, and gives them on. There is one once tests/report.rs has replayed those of the keyboard.
async function secondRound() {
  if (!fs.existsSync(path.join(folder, "second.html"))) return;
  const made = await page("second round");
  await made.goto(file("second.html"));
  expect("decided in the round before", /^4 of \d+ decided$/.test(await told(made)), true);
  await made.click(".doc a[href='#c1']");
  await made.keyboard.press("m");
  const file_ = await export_(made, "second.json");
  expect("all of them are in the next file", file_.decisions.map((one) => [one.claim_id, one.decision, one.who]), [["c1", "mark", ""], ["c2", "restore", "Ada"], ["c3", "mark", "Ada"], ["c4", "accept", "Ada"], ["c5", "drop", "Ada"]]);
  await made.context().close();
}

// Whatever a draft, a title, a page or a note says, it is shown as text.
async function hostile() {
  const strings = JSON.parse(fs.readFileSync(path.join(folder, "hostile.json"), "utf8"));
  expect("so many hostile strings", strings.length >= 60, true);
  for (const name of ["hostile.html", "hostile-check.html", "hostile-gate.html"]) await hostilePage(name, strings);
}

async function hostilePage(name, strings) {
  const made = await page(name);
  await made.goto(file(name));
  for (const view of await views(made)) {
    await open(made, view);
    for (const summary of await made.$$("details:not([open]) > summary")) if (await summary.isVisible()) await summary.click();
  }
  if (name === "hostile.html") await made.goto(file(name) + "#document?claim=c1");
  await made.waitForTimeout(100);
  expect(`${name}: nothing ran`, await made.evaluate(() => window.pwned ?? null), null);
  const odd = await made.evaluate(() => {
    const known = new Set(("a abbr article aside b bdi blockquote body br button circle code dd del details div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr "
      + "html i input ins kbd label legend li main mark meta meter nav ol option output p polyline pre progress q s script section select span strong style summary svg table td textarea th thead tbody title tr ul").split(" "));
    const all = Array.from(document.querySelectorAll("*"));
    const elements = all.filter((one) => !known.has(one.localName)).map((one) => one.localName);
    const attributes = all.flatMap((one) => Array.from(one.attributes)).filter((one) => /^on|^style$|^src$|^srcdoc$|^xlink/i.test(one.name)).map((one) => one.name);
    const links = Array.from(document.links).filter((link) => !/^(https?:|file:)/.test(link.protocol)).map((link) => link.href);
    const scripts = document.scripts.length + document.querySelectorAll("style").length;
    return { elements, attributes, links, scripts };
  });
  expect(`${name}: no element, attribute or link from outside`, odd, { elements: [], attributes: [], links: [], scripts: 2 });
  const controls = await made.evaluate(() => /[\u202a-\u202e\u2066-\u2069\u0000-\u0008]/.test(document.body.textContent));
  expect(`${name}: nothing reorders text`, controls, false);
  if (name !== "hostile-check.html") {
    const words = await made.evaluate(() => document.body.textContent);
    const plain = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "").replace(/\s+/g, " ").trim();
    expect(`${name}: each is shown as text`, strings.filter((text) => !plain(words).includes(plain(text))), []);
  }
  await made.context().close();
}

(async () => {
  browser = await chromium.launch({ executablePath: process.env.CITED_CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  const parts = { everyView, extremes, words, languages, withoutScript, print, filters, documentModes, reviewByMouse, reviewByKeyboard, atHand, outline, preview, secondRound, hostile };
  const [, , , only] = process.argv;
  for (const [name, part] of Object.entries(parts)) {
    if (only && only !== name) continue;
    try { await part(); } catch (error) { faults.push(`${name}: ${error.stack}`); }
  }
  await browser.close();
  faults.forEach((fault) => console.log("wrong: " + fault));
  console.log(`${faults.length ? "failed" : "ok"} ${looked}`);
  process.exit(faults.length ? 1 : 0);
})().catch((error) => { console.log("wrong: " + error.stack); process.exit(1); });
