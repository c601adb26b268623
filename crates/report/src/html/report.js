// What makes a report better to work with than to read: views one at a time, filters that stand in the address, the claim that is open
// beside the document, and the review. Without this script everything is still there, one under the other.
//
// Nothing here makes markup of text: elements are made, or copied from the page, and words are set as words.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("on");
  addEventListener("DOMContentLoaded", start);

  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const one = (selector, within = document) => within.querySelector(selector);
  const make = (tag, words, attributes = {}) => {
    const made = document.createElement(tag);
    if (words) made.textContent = words;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };

  const views = new Map();
  const claims = new Map();
  let order = [];
  // The claims that ask for a decision, what weighs most first.
  let queue = [];
  let now = "";
  let params = new URLSearchParams();
  let at = null;
  let opener = null;
  // What each view was last asked to show, for who comes back to it.
  const left = new Map();

  function start() {
    all(".view").forEach((view) => views.set(view.dataset.view, view));
    order = all(".claims article").map((element) => {
      const { v, k, a = "keep", on = "", hangs = "", codes = "" } = element.dataset;
      const [h, e] = on.split(" ");
      const claim = { id: element.id, element, lot: element.parentElement, v, k, a, h, e, codes: codes.split(" "), asks: "ask" in element.dataset, places: [] };
      if (hangs) {
        const [how, cited, fell, ...others] = hangs.split(" ");
        claim.hang = { how, cited: cited === "1", fell: fell === "1", on: others };
      }
      claims.set(claim.id, claim);
      return claim;
    });
    order.forEach((claim) => { if (claim.hang) claim.hang.on = claim.hang.on.map((id) => claims.get(id)).filter(Boolean); });
    const weighed = all("#look a[href^='#c']").map((link) => claims.get(link.hash.slice(1)));
    queue = Array.from(new Set([...weighed, ...order])).filter((claim) => claim?.asks && claim.h);
    findPlaces();
    outline();
    all("form.filters").forEach((form) => {
      form.addEventListener("input", () => submit(form));
      form.addEventListener("submit", (event) => event.preventDefault());
      form.addEventListener("reset", () => setTimeout(() => submit(form)));
    });
    all(".modes input").forEach((input) => input.addEventListener("change", () => go(now, { mode: input.value === "one" ? "" : input.value }, true)));
    document.addEventListener("click", clicked);
    document.addEventListener("keydown", typed);
    document.addEventListener("contentvisibilityautostatechange", ({ target, skipped }) => skipped ? laidOut.delete(target) : laidOut.add(target));
    document.addEventListener("toggle", (event) => { if (event.target.matches?.(".stands") && event.target.open) tellStanding(event.target); }, true);
    addEventListener("hashchange", route);
    document.adoptedStyleSheets.push(size);
    addEventListener("scroll", () => { below = scrollY > innerHeight; fit(); }, { passive: true });
    addEventListener("resize", fit);
    // On a phone the fields of filters are folded away, unless they are in use.
    if (matchMedia("(max-width: 34rem)").matches) all(".fold").forEach((box) => { box.open = false; });
    review.start();
    route();
    root.classList.add("ready");
    readAhead();
  }

  // What filters look in is read while nobody waits.
  function readAhead(from = 0) {
    globalThis.requestIdleCallback?.((idle) => {
      let next = from;
      while (next < order.length && idle.timeRemaining() > 1) {
        wordsOf(order[next].element);
        sourcesOf(order[next++]);
      }
      if (next < order.length) readAhead(next);
    });
  }

  function findPlaces() {
    order.forEach((claim) => { claim.places = []; claim.dim = undefined; });
    all(".doc .c").forEach((place) => claims.get(place.dataset.c ?? place.hash.slice(1))?.places.push(place));
    order.forEach((claim) => claim.places.slice(1).forEach((place) => { if (place.matches("a")) place.tabIndex = -1; }));
  }

  // Where to go in a long document: its headings, each with how many claims below it ask for a decision.
  function outline() {
    const heads = all(".doc > .row:not(.new) > .cell > :is(.h1, .h2, .h3, .h4)");
    if (heads.length <= 6) return;
    const list = make("ol");
    const entries = heads.map((head) => {
      head.tabIndex = -1;
      const item = make("li", "", { class: head.classList[0] });
      const link = make("a", head.textContent, { href: "#document", dir: "auto" });
      link.addEventListener("click", (event) => {
        event.preventDefault();
        event.stopPropagation();
        head.scrollIntoView({ block: "start" });
        head.focus({ preventScroll: true });
      });
      item.append(link);
      list.append(item);
      return { head, item, asks: 0 };
    });
    queue.forEach(({ places: [place] }) => {
      const above = place && entries.findLast(({ head }) => head.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING);
      if (above) above.asks += 1;
    });
    entries.forEach(({ item, asks }) => { if (asks) item.append(" ", make("span", figure(asks) + " to decide", { class: "n" })); });
    const box = make("details", "", { class: "outline" });
    box.append(make("summary", "Outline"), list);
    one(".doc").before(box);
  }

  // Where claims stand in views that tell of some of them: what was removed.
  let rows = null;
  function findRows() {
    if (rows) return;
    rows = new Map();
    all("a.no[href^='#c']").forEach((link) => {
      const claim = claims.get(link.hash.slice(1));
      const row = link.closest("li");
      if (!claim || !row) return;
      const { view } = row.closest(".view").dataset;
      if (!rows.has(view)) rows.set(view, new Map());
      const of = rows.get(view);
      if (!of.has(claim)) of.set(claim, []);
      of.get(claim).push(row);
    });
  }
  const rowsOf = (claim, view = now) => { findRows(); return rows.get(view)?.get(claim) ?? []; };

  // The claims that stand on a source, with their words, which the page has once only.
  function tellStanding(box) {
    const named = all(":scope > p > a", box);
    if (!named.length) return;
    const list = make("ul", "", { class: "plain" });
    named.forEach((link) => {
      const claim = claims.get(link.hash.slice(1));
      const item = make("li");
      item.append(link);
      if (claim) item.append(" ", one("b", claim.element).cloneNode(true), " ", make("bdi", textOf(claim)));
      list.append(item);
    });
    one(":scope > p", box).replaceWith(list);
  }

  // The address: #VIEW?NAME=VALUE&…, or the name of a claim or source.

  function route() {
    const hash = decodeURI(location.hash.slice(1));
    const [written, query = ""] = hash.split("?", 2);
    const name = written.replace(/^view-/, "");
    if (claims.has(name)) {
      const view = views.has("document") && claims.get(name).places.length && now !== "claims" ? "document" : "claims";
      go(view, { claim: name }, true);
      return;
    }
    const target = !views.has(name) && name ? document.getElementById(name) : null;
    const view = target?.closest(".view")?.dataset.view ?? (views.has(name) ? name : views.keys().next().value);
    params = new URLSearchParams(query);
    show(view);
    target?.scrollIntoView({ block: "start" });
  }

  function go(view, changes, replace) {
    const next = view === now ? new URLSearchParams(params) : new URLSearchParams();
    for (const [name, value] of Object.entries(changes)) value ? next.set(name, value) : next.delete(name);
    const query = next.toString();
    const hash = "#" + view + (query ? "?" + query : "");
    if (replace) history.replaceState(null, "", hash);
    else history.pushState(null, "", hash);
    route();
  }

  function show(view) {
    const other = view !== now;
    now = view;
    left.set(view, Object.fromEntries(Array.from(params).filter(([name]) => name !== "claim")));
    views.forEach((element, id) => element.classList.toggle("now", id === view));
    all("nav a").forEach((link) => link.dataset.to === view ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current"));
    const element = views.get(view);
    if (!element) return;
    const form = one("form.filters", element);
    if (form) fill(form);
    if (one(".modes", element)) setMode(params.get("mode") || "one");
    filter(element);
    const claim = claims.get(params.get("claim"));
    if (claim) open(claim);
    else if (other || !params.has("claim")) close(false);
    if (panel().hidden) setBeside(false);
    if (other && !claim) scrollTo(0, 0);
  }

  // Filters

  const fields = (form) => Array.from(form.elements).filter((field) => field.name);
  function fill(form) {
    fields(form).forEach((field) => {
      const value = params.get(field.name) ?? "";
      const first = field.tagName === "SELECT" ? field.options[0].value : "";
      if (document.activeElement !== field || field.tagName === "SELECT") field.value = value || first;
    });
  }
  function submit(form) {
    const changes = {};
    fields(form).forEach((field) => {
      const first = field.tagName === "SELECT" ? field.options[0].value : "";
      changes[field.name] = field.value === first ? "" : field.value.trim();
    });
    go(form.closest(".view").dataset.view, changes, true);
  }

  const words = new WeakMap();
  const wordsOf = (element) => {
    if (!words.has(element)) words.set(element, element.textContent.toLowerCase());
    return words.get(element);
  };

  // The numbers of the sources that a claim stands on.
  let numbers = null;
  const sourcesOf = (claim) => {
    numbers ??= new Map(all(".source").map((source) => [source.id, one(".no", source).textContent]));
    claim.s ??= all(".says > p:first-child > a", claim.element).map((link) => numbers.get(link.hash.slice(1)));
    return claim.s;
  };

  function filter(view) {
    const want = (name) => params.get(name) ?? "";
    const sought = want("q").toLowerCase().split(/\s+/).filter(Boolean);
    const has = (element) => sought.every((word) => wordsOf(element).includes(word));
    let kept = 0;
    if (!one(".claims, .doc", view)) return;
    const [verdict, kind, reason, source, decided] = ["verdict", "kind", "reason", "source", "review"].map(want);
    const inDocument = now === "document";
    const lots = new Map();
    order.forEach((claim) => {
      const fits = (!verdict || claim.v === verdict) && (!kind || claim.k === kind)
        && (!reason || claim.codes.includes(reason)) && (!source || sourcesOf(claim).includes(source))
        && (!decided || (decided === "done" ? review.has(claim) : claim.asks && !review.isSettled(claim))) && has(claim.element);
      kept += fits;
      claim.off = !fits;
      lots.set(claim.lot, (lots.get(claim.lot) ?? 0) + fits);
    });
    // Of thousands of claims only those are touched that change in the view that is shown, and none in a lot that is out of it.
    const [flag, name] = inDocument ? ["dim", "dim"] : ["gone", "off"];
    order.forEach((claim) => {
      if (Boolean(claim[flag]) === claim.off || !inDocument && !lots.get(claim.lot)) return;
      claim[flag] = claim.off;
      (inDocument ? claim.places : [claim.element]).forEach((element) => element.classList.toggle(name, claim.off));
    });
    if (!inDocument) {
      lots.forEach((some, lot) => { if (lot.classList.contains("off") === some > 0) lot.classList.toggle("off", !some); });
      putOff(lots);
    }
    const most = order.length;
    const hits = one("output", view);
    if (hits) hits.textContent = kept === most ? "" : figure(kept) + " of " + figure(most);
    const none = one(":scope > .none", view);
    if (none && !one(".doc", view)) none.style.display = kept || !most ? "" : "block";
  }

  // Lots of claims that the browser has laid out, as they were in sight or near it.
  const laidOut = new Set();
  // Whether the reader is further down than a window. Kept, as a browser that is asked for it lays the page out first.
  let below = false;

  // A filter of which few claims are left brings many lots near; without it they hold far more than is in sight. Those further down are
  // laid out no more, until the browser itself has seen that they are out of sight.
  function putOff(lots) {
    let room = below ? Infinity : innerHeight / 60;
    const later = [];
    lots.forEach((some, lot) => {
      if (room < 0 && some && laidOut.has(lot)) later.push(lot);
      room -= some;
    });
    later.forEach((lot) => lot.classList.add("later"));
    if (later.length) requestAnimationFrame(() => setTimeout(() => later.forEach((lot) => lot.classList.remove("later"))));
  }

  // The document side by side

  function setMode(mode) {
    const input = document.getElementById("m-" + mode) ?? document.getElementById("m-one");
    input.checked = true;
    const doc = one(".doc");
    if (!doc) return;
    const split = input.value === "split";
    if (split && !one(".split-head")) {
      const head = make("div", "", { class: "split-head" });
      head.append(make("span", "Draft"), make("span", "Brief"));
      doc.before(head);
      all(".row", doc).forEach((row) => row.append(row.firstElementChild.cloneNode(true)));
      findPlaces();
      effect.again();
    } else if (!split && one(".split-head")) {
      one(".split-head").remove();
      all(".row > .cell:nth-child(2)", doc).forEach((cell) => cell.remove());
      findPlaces();
      effect.again();
    }
    doc.classList.toggle("split", split);
    markAbove();
  }

  // The headings that a change stands below: of what did not change only they are shown among the changes.
  function markAbove() {
    let changes = false;
    all(".doc > .row").reverse().forEach((row) => {
      const is = Boolean(one(":scope > .cell > :is(.h1, .h2)", row));
      if (is && !row.matches(".new")) row.classList.toggle("above", changes);
      changes = !is && (changes || row.matches(".ch") || Boolean(one(".falls, .un, .back", row)));
    });
  }

  // The claim that is open

  function clicked(event) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target.closest("a[href^='#']") ?? beside(event.target);
    if (!link) return;
    const name = link.hash.slice(1);
    if (claims.has(name)) {
      event.preventDefault();
      opener = link;
      go(now, { claim: name }, true);
    } else if (views.has(link.dataset.to)) {
      event.preventDefault();
      go(link.dataset.to, left.get(link.dataset.to) ?? {}, false);
    }
  }

  // The words of a claim in a list open it as its name does, unless somebody marks them to take them away.
  function beside(target) {
    const text = target.closest(".views .text");
    if (!text || !getSelection().isCollapsed) return null;
    return one("a[href^='#c']", text.closest("article, li") ?? text);
  }

  const panel = () => document.getElementById("panel");
  const setBeside = (is) => {
    [root, document.body].forEach((element) => element.classList.toggle("beside", is));
    // What to look at stands where a claim will open, beside the document; on a phone it stays above it.
    const look = document.getElementById("look");
    if (look) look.hidden = now !== "document";
    document.getElementById("main").classList.toggle("beside", is || Boolean(look && !look.hidden));
  };

  // Beside the document the panel ends where the window does, also while the head of the page stands above it: its buttons are at its end.
  const size = new CSSStyleSheet();
  let room = 0;
  function fit() {
    if (panel().hidden) return;
    const next = Math.max(Math.round(innerHeight - Math.max(panel().getBoundingClientRect().top, 0) - 16), 200);
    if (next === room) return;
    room = next;
    size.replaceSync("@media (min-width: 62rem) { #panel { max-height: " + room + "px; } }");
  }

  function mark(claim) {
    const spots = (of) => [of.element, ...of.places, ...rowsOf(of, "removed")];
    if (at) spots(at).forEach((element) => element.classList.remove("at"));
    at = claim;
    if (at) spots(at).forEach((element) => element.classList.add("at"));
  }

  // Where a claim stands in the view that is shown.
  const placeOf = (claim) => now === "document" ? claim.places.find((place) => place.offsetParent)
    : now === "claims" ? claim.element : rowsOf(claim).find((row) => row.offsetParent);
  const linkIn = (place) => place?.matches("a") ? place : place && one("p > a", place);

  function open(claim) {
    mark(claim);
    const copy = claim.element.cloneNode(true);
    copy.removeAttribute("id");
    // What was decided stands beside the buttons.
    one(":scope > .decided", copy)?.remove();
    leadOut(copy);
    copy.append(...questions(copy));
    copy.classList.remove("at", "off");
    const bar = make("div", "", { class: "bar" });
    const move = make("span");
    [["Previous", -1, "k"], ["Next", 1, "j"]].forEach(([name, by, key]) => {
      const button = keyed(name, key);
      button.addEventListener("click", () => step(by));
      move.append(button, " ");
    });
    const shut = keyed("Close", "Esc");
    shut.addEventListener("click", () => go(now, { claim: "" }, true));
    bar.append(move, shut);
    showBeside(bar, copy, ...review.actions(claim));
    const place = placeOf(claim);
    if (place && !seen(place)) place.scrollIntoView({ block: "center" });
    if (opener) panel().focus({ preventScroll: true });
    say(claim.id + ": " + one("b", claim.element).textContent);
  }

  function showBeside(...parts) {
    panel().replaceChildren(...parts);
    panel().hidden = false;
    setBeside(true);
    fit();
    panel().scrollTop = 0;
  }

  // A button with the key that does the same.
  function keyed(name, key, attributes = {}) {
    const button = make("button", name + " ", { type: "button", "aria-keyshortcuts": key === "Esc" ? "Escape" : key, ...attributes });
    button.append(make("kbd", key, { "aria-hidden": "true" }));
    return button;
  }

  // Beside the name of each source a way to its page. Where there is one source, the reason need not say its address again.
  function leadOut(copy) {
    const why = one(":scope > .why", copy);
    const links = all(".says > p:first-child > a", copy);
    links.forEach((link) => {
      const page = document.querySelector(link.hash + " a.url")?.cloneNode(true);
      if (!page) return;
      if (why && links.length === 1) why.textContent = why.textContent.replace(": " + page.textContent, "");
      page.textContent = new URL(page.href).host + " ↗";
      link.parentElement.append(" ", page);
    });
  }

  // What the checks ask that are named in a claim.
  function questions(element) {
    const named = all(".why, .says > ul", element).map((told) => told.textContent).join();
    const asked = all(".asks dt").filter((name) => named.includes(name.textContent));
    if (!asked.length) return [];
    const box = make("details", "", { class: "asks" });
    const list = make("dl", "", { class: "facts" });
    asked.forEach((name) => list.append(name.cloneNode(true), name.nextElementSibling.cloneNode(true)));
    box.append(make("summary", "What these checks ask"), list);
    return [box];
  }

  function close(back) {
    if (panel().hidden) return;
    panel().hidden = true;
    setBeside(false);
    panel().replaceChildren();
    if (back) (opener?.isConnected ? opener : at && linkIn(placeOf(at)))?.focus();
    opener = null;
  }

  // Whether a place is in sight, and not under the panel of a small screen.
  function seen(place) {
    const { top, bottom } = place.getBoundingClientRect();
    const sheet = getComputedStyle(panel()).position === "fixed" ? panel().getBoundingClientRect().top : innerHeight;
    const bar = document.querySelector(".review")?.getBoundingClientRect().bottom ?? 0;
    return top >= Math.max(bar, 0) && bottom <= sheet;
  }

  function step(by) {
    const shown = { document: (claim) => !claim.off && claim.places.some((place) => place.matches("a")), claims: (claim) => !claim.off }[now] ?? placeOf;
    const list = order.filter(shown);
    if (!list.length) return;
    let next = at ? list.indexOf(at) + by : by > 0 ? 0 : list.length - 1;
    if (at && !list.includes(at)) next = by > 0 ? 0 : list.length - 1;
    const claim = list[Math.min(Math.max(next, 0), list.length - 1)];
    if (!panel().hidden) {
      opener = linkIn(placeOf(claim)) ?? opener;
      go(now, { claim: claim.id }, true);
      return;
    }
    mark(claim);
    const place = placeOf(claim);
    place?.scrollIntoView({ block: "center" });
    linkIn(place)?.focus({ preventScroll: true });
  }

  // The next claim that still asks for a decision, what weighs most first, in the view that is shown if it stands there; behind the last one the
  // end of the review.
  function toDecide() {
    const open = (claim) => !review.isSettled(claim);
    const claim = queue.slice(queue.indexOf(at) + 1).find(open) ?? queue.find(open);
    if (!claim) { review.end(); return; }
    const view = placeOf(claim) || now === "claims" ? now : views.has("document") && claim.places.length ? "document" : "claims";
    if (view === now && claim.off) { go(now, { ...Object.fromEntries(Array.from(params.keys(), (name) => [name, ""])), claim: claim.id }, true); return; }
    go(view, { claim: claim.id }, view === now);
    opener = linkIn(placeOf(claim)) ?? opener;
    panel().focus({ preventScroll: true });
  }

  function typed(event) {
    const field = event.target.closest("input, select, textarea");
    if (event.key === "Escape") {
      if (field?.matches("textarea")) panel().focus();
      else if (field) field.blur();
      else if (!panel().hidden) { close(true); go(now, { claim: "" }, true); }
      return;
    }
    if ((field && field.type !== "radio") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      j: () => step(1),
      k: () => step(-1),
      Enter: () => { if (!event.target.closest("a, button, summary") && at && panel().hidden) { opener = linkIn(placeOf(at)); go(now, { claim: at.id }, true); } else return true; },
      t: () => review.on && toDecide(),
      "/": () => {
        const here = one("input[type=search]", views.get(now)) ? now : views.has("claims") ? "claims" : "";
        if (here && here !== now) go(here, left.get(here) ?? {}, false);
        const field = one("input[type=search]", views.get(now));
        field?.closest(".fold")?.setAttribute("open", "");
        field?.focus();
      },
      a: () => review.decide(at, "accept"),
      r: () => review.decide(at, "restore"),
      m: () => review.decide(at, "mark"),
      d: () => review.decide(at, "drop"),
      n: () => review.note(at),
      u: () => review.undo(),
    }[event.key];
    if (act && act() !== true) event.preventDefault();
  }

  const figure = (count) => count.toLocaleString("en");

  const say = (message) => { const box = document.getElementById("say"); if (box) box.textContent = message; };

  // The review: what was decided on each claim, kept in the browser, taken away as a file.

  // A claim's own words: those of the row and column of a cell stand before them.
  const textOf = (claim) => {
    const text = one(".text", claim.element).cloneNode(true);
    one(".of", text)?.remove();
    return text.textContent;
  };

  const review = {
    on: false,
    // Without a prototype: what names a claim comes from outside.
    decided: Object.create(null),
    past: [],
    who: "",

    start() {
      const { key } = document.body.dataset;
      this.on = Boolean(key);
      if (!this.on) return;
      this.place = "cited:" + key;
      try {
        const kept = JSON.parse(localStorage.getItem(this.place) ?? "null");
        if (kept) { Object.assign(this.decided, kept.decided); this.past = kept.past ?? []; this.who = kept.who || this.who; }
      } catch { /* A browser that keeps nothing: the review lives as long as the page. */ }
      // What the run has applied stands as decided, and goes on into the next file.
      order.forEach((claim) => {
        const { done, who = "", why = "" } = claim.element.dataset;
        if (done && claim.h && !this.decided[claim.h]) this.decided[claim.h] = this.bound(claim, done, who, why);
      });
      const who = document.getElementById("who");
      who.value = this.who;
      who.addEventListener("input", () => { this.who = who.value.trim(); this.keep(); });
      document.getElementById("finish").addEventListener("click", () => this.end());
      document.getElementById("undo").addEventListener("click", () => this.undo());
      document.getElementById("next").addEventListener("click", toDecide);
      effect.show();
      order.forEach((claim) => this.draw(claim));
      this.count();
    },

    bound: (claim, decision, who, why) => ({
      claim_id: claim.id, claim_text: textOf(claim), binding: { claim: claim.h, evidence: claim.e }, decision, action: claim.a, who, why,
    }),

    // The decision on a claim, when it still is on this evidence. What was accepted has to be what is done: it may be another thing in a later
    // run, and by what is decided on a claim that this one hangs on.
    of(claim) {
      const decision = claim.h ? this.decided[claim.h] : null;
      if (decision?.binding.evidence !== claim.e) return null;
      const isDone = decision.action === claim.a && effect.goes(claim) === effect.isGone(claim);
      return decision.decision !== "accept" || isDone ? decision : null;
    },
    has(claim) { return Boolean(this.of(claim)); },
    // Whether nothing is to be decided on it any more, for which a note alone is not enough: also what came back with the claim that it hangs on, unless its removal was accepted.
    isSettled(claim) { return this.has(claim) && this.of(claim).decision !== "note" || Boolean(claim.hang?.fell) && claim.goes === false && !this.decided[claim.h]; },
    any() { return order.some((claim) => this.has(claim)); },

    why: { restore: "it stays already", drop: "it is removed already", mark: "it is marked already" },

    can(claim, choice) {
      const gone = effect.isGone(claim);
      if (choice === "restore") return gone || claim.fell || claim.a === "mark";
      if (choice === "drop") return !gone || Boolean(claim.hang?.fell);
      if (choice === "mark") return claim.a !== "mark";
      return true;
    },

    decide(claim, choice, why) {
      if (!this.on || !claim?.h) return;
      if (!this.can(claim, choice)) { say(claim.id + ": " + this.why[choice]); return; }
      const before = this.of(claim);
      const next = { ...this.bound(claim, choice, this.who, why ?? before?.why ?? ""), at: new Date().toISOString() };
      this.set(claim, next, before);
      if (choice === "note" || !claim.asks) return;
      toDecide();
      this.tellLast(claim, next);
    },

    // Above the claim that opened by itself: what was decided on the one before, and the way back.
    tellLast(claim, { decision }) {
      const told = make("p", claim.id + " " + past[decision] + " ", { class: "last" });
      const back = make("button", "Undo", { type: "button" });
      back.addEventListener("click", () => this.undo());
      told.append(back);
      one(".bar", panel())?.after(told);
      say(told.firstChild.textContent + ", " + (one("article > p > a", panel())?.textContent ?? "the last one"));
    },

    set(claim, next, before) {
      this.past.push([claim.h, before]);
      if (next) this.decided[claim.h] = next;
      else delete this.decided[claim.h];
      this.changed(claim, next);
    },

    changed(claim, decision) {
      this.keep();
      effect.show();
      order.filter((other) => other === claim || other.hang).forEach((other) => this.draw(other));
      this.count();
      if (at === claim && !panel().hidden) this.redraw();
      say(decision ? claim.id + ": " + past[decision.decision] : claim.id + ": no decision");
    },

    // What the buttons say: they stay where they are, for one of them may be under the finger.
    redraw() { one(".acts", panel())?.show(); },

    undo() {
      const last = this.past.pop();
      if (!last) { say("Nothing to undo"); return; }
      const [hash, before] = last;
      if (before) this.decided[hash] = before;
      else delete this.decided[hash];
      const claim = order.find((claim) => claim.h === hash);
      if (!claim) { this.keep(); return; }
      this.changed(claim, before);
      // What is undone is shown: it may stand pages away.
      if (at !== claim) {
        if (panel().hidden) mark(claim);
        else go(now, { claim: claim.id }, true);
      }
      const place = placeOf(claim);
      if (place && !seen(place)) place.scrollIntoView({ block: "center" });
    },

    note(claim) {
      if (!this.on || !claim) return;
      if (panel().hidden) { opener = linkIn(placeOf(claim)); go(now, { claim: claim.id }, true); }
      one("textarea", panel())?.focus();
    },

    actions(claim) {
      if (!this.on || !claim.h) return [];
      const box = make("div", "", { class: "acts", role: "group", "aria-label": "Decide" });
      const buttons = [["accept", "Accept"], ["restore", "Restore"], ["mark", "Mark"], ["drop", "Drop"]].map(([choice, name]) => {
        const button = keyed(name, choice[0], { "data-choice": choice });
        button.addEventListener("click", () => this.decide(claim, choice));
        return button;
      });
      const label = make("label", "Note ");
      label.append(make("kbd", "n", { "aria-hidden": "true" }));
      const area = make("textarea", "", { rows: "1", maxlength: "2000", "aria-label": "Note" });
      area.addEventListener("change", () => {
        const why = area.value.trim();
        const before = this.of(claim);
        if (why === (before?.why ?? "")) return;
        if (!why && before?.decision === "note") this.set(claim, null, before);
        else this.decide(claim, before?.decision ?? "note", why);
      });
      label.append(area);
      const told = make("p", "", { class: "decided" });
      const cannot = make("p", "", { class: "n" });
      box.append(...buttons, label, told, cannot);
      box.show = () => {
        const decision = this.of(claim);
        buttons.forEach((button) => {
          const { choice } = button.dataset;
          button.setAttribute("aria-pressed", String(decision?.decision === choice));
          button.disabled = !this.can(claim, choice);
        });
        cannot.textContent = buttons.filter((button) => button.disabled)
          .map((button) => button.firstChild.textContent.trim() + ": " + this.why[button.dataset.choice]).join("; ");
        cannot.hidden = !cannot.textContent;
        area.value = decision?.why ?? "";
        told.hidden = !decision;
        told.textContent = decision ? past[decision.decision] + (decision.who ? " by " + decision.who : "") : "";
      };
      box.show();
      return [box];
    },

    draw(claim) {
      const has = this.has(claim);
      if (!has && !claim.drawn) return;
      claim.drawn = has;
      // Behind the last words of the claim, on both sides of a document that is shown side by side. The style sheet shows what will become
      // of the words, too.
      const cells = claim.places.map((place) => place.closest(".cell"));
      claim.places.forEach((place, i) => {
        place.classList.toggle("yes", has && cells[i + 1] !== cells[i]);
        if (has) place.dataset.d = past[this.of(claim).decision];
        else delete place.dataset.d;
      });
      const { decision, who, why } = this.of(claim) ?? {};
      [claim.element, ...rowsOf(claim, "removed")].forEach((element) => {
        one(":scope > .decided", element)?.remove();
        if (has) element.append(make("p", "● " + past[decision] + (who ? " by " + who : "") + (why ? ": " + why : ""), { class: "decided" }));
      });
    },

    count() {
      const done = queue.filter((claim) => this.isSettled(claim)).length;
      const bar = document.getElementById("bar");
      bar.max = Math.max(queue.length, 1);
      bar.value = queue.length ? done : 1;
      bar.hidden = !queue.length;
      const more = order.filter((claim) => !queue.includes(claim) && this.has(claim)).length;
      document.getElementById("done").textContent = (queue.length ? figure(done) + " of " + figure(queue.length) + " decided" : "Nothing asks for a decision")
        + (more ? ", " + figure(more) + " more" : "");
      document.getElementById("next").disabled = done === queue.length;
      document.getElementById("undo").disabled = !this.past.length;
    },

    // Where a review ends: what is open, what the decisions do, the file, and what to run with it.
    end() {
      const open = queue.filter((claim) => !this.isSettled(claim)).length;
      const box = make("div", "", { class: "end" });
      box.append(make("h2", open ? figure(open) + " of " + figure(queue.length) + " still ask for a decision" : queue.length ? "All " + figure(queue.length) + " are decided" : "Nothing asks for a decision"));
      box.append(make("p", "After this, " + effect.inWords()));
      if (open) {
        const next = keyed("Next to decide", "t");
        next.addEventListener("click", toDecide);
        box.append(next);
      }
      const steps = make("ol");
      const step = (...parts) => { const item = make("li"); item.append(...parts); steps.append(item); };
      const take = make("button", "Download decisions.json", { type: "button" });
      take.addEventListener("click", () => this.take());
      const names = new Set(order.filter((claim) => this.has(claim)).map((claim) => this.of(claim).who || this.who));
      if (!names.size) names.add(this.who);
      step(take, " ", make("span", names.has("") ? "without a name: enter yours above" : "by " + Array.from(names).join(", "), { class: "n" }));
      const copy = make("button", "Copy", { type: "button", id: "copy" });
      copy.addEventListener("click", () => navigator.clipboard?.writeText(this.command()).then(() => { copy.textContent = "Copied"; say("Copied"); }));
      const command = make("p", "In the folder of the draft, run ", { id: "command" });
      command.append(make("code", this.command()), " ", copy);
      step(command);
      box.append(steps);
      go(now, { claim: "" }, true);
      mark(null);
      const bar = make("div", "", { class: "bar" });
      const shut = keyed("Close", "Esc");
      shut.addEventListener("click", () => close(true));
      bar.append(make("span"), shut);
      showBeside(bar, box);
      panel().focus({ preventScroll: true });
    },

    file() {
      const here = order.filter((claim) => this.has(claim)).map((claim) => ({ ...this.of(claim), claim_id: claim.id, who: this.of(claim).who || this.who }));
      return JSON.stringify({ schema: "cited/decisions/1", draft: document.body.dataset.draft ?? "", decisions: here }, null, 2) + "\n";
    },

    // What replays the decisions, with the options of the run. What has anything but plain characters is quoted as a shell wants it.
    command() {
      const { draft = "", options = "" } = document.body.dataset;
      const words = [draft, ...options.split("\n").filter(Boolean)];
      const quoted = words.map((word) => /^[\w./+:=-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'");
      return ["cited verify", ...quoted, "--decisions decisions.json"].join(" ");
    },

    keep() {
      try { localStorage.setItem(this.place, JSON.stringify({ who: this.who, decided: this.decided, past: this.past.slice(-500) })); } catch { /* See start. */ }
    },

    take() {
      const address = URL.createObjectURL(new Blob([this.file()], { type: "application/json" }));
      const link = make("a", "", { href: address, download: "decisions.json" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
      const many = order.filter((claim) => this.has(claim)).length;
      const told = "decisions.json has " + figure(many) + (many === 1 ? " decision" : " decisions");
      one(".end .n", panel()).textContent = told;
      say(told);
    },
  };

  // What the decisions do, as a run with `--decisions` will: what goes, comes back or is marked, and all that hangs on it. Of headings, lists and
  // tables the page shows what is left of them.
  const effect = {
    first: null,
    isGone: (claim) => claim.a === "drop" || claim.a === "todo",

    goes(claim) { return claim.goes ?? this.isGone(claim); },

    settle(decided) {
      order.forEach((claim) => {
        const choice = decided ? review.of(claim)?.decision : "";
        claim.held = choice === "restore";
        claim.marked = choice === "mark" || (claim.a === "mark" && choice !== "restore" && choice !== "drop");
        const own = this.isGone(claim) && !claim.hang?.fell;
        claim.goes = choice === "drop" || (own && !claim.held && choice !== "mark");
        claim.fell = false;
      });
      const hanging = order.filter((claim) => claim.hang?.on.length);
      for (let changed = true; changed;) {
        changed = false;
        hanging.filter((claim) => !claim.goes && !claim.held && claim.hang.on.every((other) => other.goes)).forEach((claim) => {
          const { how, cited } = claim.hang;
          const stands = cited && !claim.marked || how === "leans" && claim.marked && claim.v !== "gone";
          if (how !== "continues" && stands) return;
          claim.goes = claim.fell = changed = true;
        });
      }
    },

    // How the page is without a decision is asked before the first one is shown.
    show() {
      if (!this.first) {
        if (!review.any()) return;
        this.first = new Map();
        this.settle(false);
        this.structure((element, gone) => this.first.set(element, gone));
      }
      this.settle(true);
      order.forEach((claim) => {
        const was = this.isGone(claim);
        const back = was && !claim.goes || claim.a === "mark" && !claim.marked && !claim.goes;
        if (!was && !claim.goes && !claim.marked && !claim.shown) return;
        claim.shown = true;
        const marked = claim.marked && claim.a !== "mark" && !claim.goes;
        const cells = claim.places.map((place) => place.closest(".cell"));
        claim.places.forEach((place, i) => {
          place.classList.toggle("falls", claim.goes && !was && !this.labelsMore(claim, i));
          place.classList.toggle("back", back);
          one(":scope > .un", place)?.remove();
          if (marked && cells[i + 1] !== cells[i]) place.append(make("ins", " [unverified]", { class: "un" }));
        });
      });
      this.structure((element, gone) => {
        const falls = gone && !this.first.get(element);
        element.classList.toggle("falls", falls);
        element.classList.toggle("back", !gone && this.first.get(element));
        // An emptied cell has what the brief has in it.
        if (element.localName !== "td") return;
        const dash = one(":scope > .un.dash", element);
        if (falls && !dash) element.append(make("ins", "—", { class: "un dash" }));
        else if (!falls) dash?.remove();
      });
      markAbove();
      this.removed();
      const lead = one(".lead");
      lead.dataset.was ??= lead.textContent;
      const differs = order.some((claim) => claim.goes !== this.isGone(claim) || !claim.goes && claim.marked !== (claim.a === "mark"));
      lead.textContent = lead.dataset.was + (differs ? " With your decisions: " + this.inWords() : "");
    },

    // A label in emphasis that its block begins with, *Prices:*, is that of the sentences behind it, too: it stays with them.
    labelsMore(claim, i) {
      const [place, next] = claim.places.slice(i);
      const block = place.closest("p, li, td, th, dd, .cell");
      const around = all(".c", block);
      const isLabel = next && around[0] === place && place.parentElement.matches("strong, em")
        && (/[:：]\s*$/.test(place.textContent) || /^[:：]/.test(next.textContent));
      return isLabel && around.some((other) => { const of = claims.get(other.dataset.c ?? other.hash.slice(1)); return of && !of.goes; });
    },

    // Tells `turn` of each block whether all of it goes.
    structure(turn) {
      const state = new Map();
      this.turn = (element, gone) => {
        state.set(element, gone);
        if (gone !== null) turn(element, gone);
      };
      all(".doc > .row > .cell").forEach((cell) => this.blocks(cell));
      this.headings(state);
    },

    // The document is shown in another way: all of it is looked at anew.
    again() {
      this.first = null;
      this.show();
    },

    // What is left of a block: nothing, where all claims in it go. Footnotes, pictures and words that are no claim stay.
    blocks(element) {
      const own = [];
      let some = false;
      let left = false;
      const look = (child) => {
        if (child.matches("p, li, ul, ol, blockquote, table, tr, th, td, div, dl, dt, dd, pre, .h1, .h2, .h3, .h4")) {
          const gone = this.blocks(child);
          some ||= gone !== null;
          left ||= gone !== true && (child.localName !== "th" && child.localName !== "td");
          own.push([child, gone]);
        } else if (child.matches(".c")) {
          const claim = claims.get(child.dataset.c ?? child.hash.slice(1));
          some = true;
          left ||= !claim || !claim.goes || claim.a === "todo";
        } else if (child.matches(".image")) left = true;
        else Array.from(child.children).forEach(look);
      };
      Array.from(element.children).forEach(look);
      let gone = some ? !left : null;
      if (element.localName === "tr") gone = this.row(own);
      if (element.localName === "table") gone = own.some(([row]) => !row.matches(".th")) && own.every(([row, is]) => is || row.matches(".th"));
      this.turn(element, gone);
      return gone;
    },

    // A row goes that lost a cell and has nothing left but its label; one with a source of its own is more than a label.
    row(cells) {
      const says = ([cell, gone]) => !gone && /[\p{L}\p{N}]/u.test(Array.from(cell.childNodes).filter((part) => !part.matches?.("del, ins")).map((part) => part.textContent).join("").replace(/\[[^\]]*\]/g, ""));
      const [label, ...others] = cells;
      if (!label || label[0].matches("th") || !cells.some(([, gone]) => gone) || others.some(says)) return label ? false : null;
      return !all(".c", label[0]).some((place) => { const claim = claims.get(place.dataset.c ?? place.hash.slice(1)); return claim && !claim.goes && (claim.v !== "exempt" || one(".says", claim.element)); });
    },

    // A heading goes with all that stood below it; that of the document stays.
    headings(state) {
      const rows = all(".doc > .row");
      for (const side of [1, 2]) {
        const blocks = rows.map((row) => one(":scope > .cell:nth-child(" + side + ") > *", row)).filter(Boolean);
        const level = (block) => Number(/\bh([1-4])\b/.exec(block.className)?.[1] ?? 0);
        for (let i = blocks.length - 1; i >= 0; i -= 1) {
          const of = level(blocks[i]);
          if (!of || of === 1 && i === 0) continue;
          const end = blocks.findIndex((block, j) => j > i && level(block) && level(block) <= of);
          const below = blocks.slice(i + 1, end < 0 ? blocks.length : end).filter((block) => !block.matches("hr") && !block.closest(".row.new"));
          this.turn(blocks[i], below.length > 0 && below.every((block) => state.get(block) === true));
        }
      }
    },

    // The list of what is removed, as it will be.
    removed() {
      const list = one("#view-removed .gone-list");
      if (!list) return;
      const rows = new Map(all("li", list).map((row) => [claims.get(one("a.no", row)?.hash.slice(1)), row]));
      let many = 0;
      order.forEach((claim) => {
        many += claim.goes;
        let row = rows.get(claim);
        if (claim.goes && !row) {
          row = make("li");
          const state = make("p", "", { class: "state" });
          state.append(make("a", claim.id, { class: "no", href: "#" + claim.id }), " ", make("b", "removed", { class: "did" }), " ", make("span", "line " + claim.element.dataset.l, { class: "place" }));
          row.append(state, make("p", textOf(claim), { class: "text", dir: "auto" }), make("p", "", { class: "why" }));
          row.dataset.made = "";
          const after = order.slice(order.indexOf(claim) + 1).map((other) => rows.get(other)).find(Boolean);
          list.insertBefore(row, after ?? null);
          rows.set(claim, row);
        }
        if (!row) return;
        row.classList.toggle("off", !claim.goes);
        if ("made" in row.dataset && claim.goes) one(".why", row).textContent = [this.reason(claim), one(":scope > .why", claim.element)?.textContent].filter(Boolean).join("; ");
      });
      this.written();
      one("#view-removed > .none").classList.toggle("shown", !many);
      const count = one("nav a[data-to=removed] .n");
      if (count) count.textContent = figure(many);
    },

    // Why a claim goes that the run kept, as the brief will say it.
    reason(claim) {
      const { who, why } = review.of(claim) ?? {};
      if (claim.fell) return claim.hang.how === "introduces" ? "introduces what is removed" : "depends on a removed claim";
      return "dropped by " + (who || review.who || "a reviewer") + (why ? ": " + why : "");
    },

    // The same list where the brief has it, at the end of the document.
    written() {
      const whole = (claim) => "“" + one(".text", claim.element).textContent + "”";
      all(".doc > .row.new ul").forEach((list) => {
        const rows = all(":scope > li", list);
        rows.forEach((row) => { row.of ??= order.find((claim) => this.isGone(claim) && row.textContent.startsWith(whole(claim))) ?? null; });
        if (!rows.some((row) => row.of)) return;
        order.filter((claim) => claim.goes && !this.isGone(claim)).forEach((claim) => {
          let row = rows.find((row) => row.of === claim);
          if (!row) {
            row = make("li");
            Object.assign(row, { of: claim, made: true });
            rows.push(row);
            list.append(row);
          }
          row.textContent = whole(claim) + " — " + this.reason(claim);
        });
        rows.forEach((row) => row.made && !row.of.goes ? row.remove() : row.classList.toggle("falls", Boolean(row.of && !row.of.goes)));
      });
    },

    // What the decisions change, in one sentence.
    inWords() {
      const count = (fits) => order.filter(fits).length;
      const marked = (claim) => (claim.marked ?? claim.a === "mark") && !this.goes(claim);
      // Of what needs no source nothing is counted, as in the first line of the run, unless it goes or is marked.
      const counts = (claim) => claim.v !== "exempt" || this.goes(claim) || marked(claim);
      const told = (many, what) => many ? figure(many) + " " + what : "";
      const parts = [
        told(count((claim) => this.goes(claim)), "removed"),
        told(count((claim) => claim.fell && !claim.hang.fell), "of them with others"),
        told(count((claim) => this.isGone(claim) && !this.goes(claim)), "back"),
        told(count(marked), "marked"),
      ].filter(Boolean);
      return "the brief will have " + figure(count((claim) => counts(claim) && !this.goes(claim))) + " of " + figure(count(counts)) + " claims" + (parts.length ? ": " + parts.join(", ") : "") + ".";
    },
  };

  const past = { accept: "accepted", restore: "restored", mark: "marked", drop: "dropped", note: "noted" };
})();
