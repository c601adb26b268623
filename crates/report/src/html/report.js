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
  let now = "";
  let params = new URLSearchParams();
  let at = null;
  let opener = null;
  // What each view was last asked to show, for who comes back to it.
  const left = new Map();

  function start() {
    all(".view").forEach((view) => views.set(view.dataset.view, view));
    order = all(".claims article").map((element) => {
      const { v, k, a = "keep", on = "" } = element.dataset;
      const [h, e] = on.split(" ");
      const claim = { id: element.id, element, lot: element.parentElement, v, k, a, h, e, asks: "ask" in element.dataset, places: [] };
      claims.set(claim.id, claim);
      return claim;
    });
    findPlaces();
    all("form.filters, form.sort").forEach((form) => {
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
    all(".doc a.c").forEach((place) => claims.get(place.hash.slice(1))?.places.push(place));
    order.forEach((claim) => claim.places.slice(1).forEach((place) => { place.tabIndex = -1; }));
  }

  // Where claims stand in views that tell of some of them: what was removed, findings.
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

  // What was found on a claim, by the codes of the findings.
  const codesOf = (claim) => claim.codes ??= rowsOf(claim, "findings").map((row) => one(".state > code", row).textContent);

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
    const form = one("form.filters, form.sort", element);
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
    let most = 0;
    if (one(".claims, .doc", view)) {
      const [verdict, kind, action, reason, source, decided] = ["verdict", "kind", "action", "reason", "source", "review"].map(want);
      const inDocument = now === "document";
      const lots = new Map();
      order.forEach((claim) => {
        const fits = (!verdict || claim.v === verdict) && (!kind || claim.k === kind) && (!action || claim.a === action)
          && (!reason || codesOf(claim).includes(reason)) && (!source || sourcesOf(claim).includes(source))
          && (!decided || (decided === "done" ? review.has(claim) : claim.asks && !review.has(claim))) && has(claim.element);
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
      most = order.length;
    } else {
      const items = all(".source, .finding", view);
      // A source says its outcome, a finding its severity and its code, first of all.
      const said = { outcome: ".state > b", severity: ".state > b", code: ".state > code" };
      items.forEach((item) => {
        const fits = Object.entries(said).every(([name, place]) => !want(name) || one(place, item)?.textContent.split(" ").pop() === want(name)) && has(item);
        kept += fits;
        item.classList.toggle("off", !fits);
      });
      all(".file", view).forEach((file) => file.classList.toggle("off", !one(".finding:not(.off)", file)));
      most = items.length;
      sort(view, want("order"));
    }
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

  function sort(view, by) {
    const list = one(".sources", view);
    if (!list || list.dataset.by === by || (!by && !list.dataset.by)) return;
    list.dataset.by = by;
    const title = (item) => one("h3", item).textContent;
    const place = (item) => Number(item.id.slice(1));
    const standing = (item) => parseInt(one(".stands > summary", item)?.textContent.replace(/,/g, "") ?? "0", 10);
    const compare = {
      claims: (a, b) => standing(b) - standing(a) || place(a) - place(b),
      title: (a, b) => title(a).localeCompare(title(b)) || place(a) - place(b),
    }[by] ?? ((a, b) => place(a) - place(b));
    list.append(...all(".source", list).sort(compare));
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
      head.append(make("span", "As it was"), make("span", "As it is"));
      doc.before(head);
      all(".row", doc).forEach((row) => row.append(row.firstElementChild.cloneNode(true)));
      findPlaces();
    } else if (!split && one(".split-head")) {
      one(".split-head").remove();
      all(".row > .cell:nth-child(2)", doc).forEach((cell) => cell.remove());
      findPlaces();
    }
    doc.classList.toggle("split", split);
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
    // What to look at stands where a claim will open, beside the document.
    const look = document.getElementById("look");
    if (look) look.hidden = is || now !== "document";
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
    const spots = (of) => [of.element, ...of.places, ...rowsOf(of, "removed"), ...rowsOf(of, "findings")];
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
    panel().replaceChildren(bar, copy, ...review.actions(claim));
    panel().hidden = false;
    setBeside(true);
    fit();
    panel().scrollTop = 0;
    const place = placeOf(claim);
    if (place && !seen(place)) place.scrollIntoView({ block: "center" });
    if (opener) panel().focus({ preventScroll: true });
    say(claim.id + ": " + one("b", claim.element).textContent);
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
    const shown = { document: (claim) => !claim.off && claim.places.length, claims: (claim) => !claim.off }[now] ?? placeOf;
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

  // The next claim that still asks for a decision, from the one that is open on, in the view that is shown if it stands there.
  function toDecide() {
    const asks = (claim) => claim.asks && claim.h && !review.has(claim);
    const claim = order.slice(order.indexOf(at) + 1).find(asks) ?? order.find(asks);
    if (!claim) { say("Nothing is left to decide"); return; }
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
        one("input[type=search]", views.get(now))?.focus();
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
      const who = document.getElementById("who");
      who.value = this.who;
      who.addEventListener("input", () => { this.who = who.value.trim(); this.keep(); });
      document.getElementById("export").addEventListener("click", () => this.take());
      document.getElementById("undo").addEventListener("click", () => this.undo());
      document.getElementById("copy").addEventListener("click", () => navigator.clipboard?.writeText(this.command()).then(() => say("Copied")));
      document.getElementById("next").addEventListener("click", toDecide);
      order.forEach((claim) => this.draw(claim));
      this.count();
    },

    // The decision on a claim, when it still is on this evidence.
    of(claim) {
      const decision = claim.h ? this.decided[claim.h] : null;
      return decision && decision.binding.evidence === claim.e ? decision : null;
    },
    has(claim) { return Boolean(this.of(claim)); },

    can(claim, choice) {
      const gone = claim.a === "drop" || claim.a === "todo";
      if (choice === "restore") return gone || claim.a === "mark";
      if (choice === "drop") return !gone;
      if (choice === "mark") return claim.a !== "mark";
      return true;
    },

    decide(claim, choice, why) {
      if (!this.on || !claim?.h || !this.can(claim, choice)) return;
      const before = this.of(claim);
      const next = {
        claim_id: claim.id,
        claim_text: textOf(claim),
        binding: { claim: claim.h, evidence: claim.e },
        decision: choice,
        who: this.who,
        why: why ?? before?.why ?? "",
        at: new Date().toISOString(),
      };
      this.set(claim, next, before);
    },

    set(claim, next, before) {
      this.past.push([claim.h, before]);
      if (next) this.decided[claim.h] = next;
      else delete this.decided[claim.h];
      this.changed(claim, next);
    },

    changed(claim, decision) {
      this.keep();
      this.draw(claim);
      this.count();
      if (at === claim && !panel().hidden) this.redraw(claim);
      say(decision ? claim.id + ": " + past[decision.decision] : claim.id + ": no decision");
    },

    // Only the buttons: the reader's place in the panel stays.
    redraw(claim) {
      const focused = document.activeElement?.dataset?.choice;
      all(".acts", panel()).forEach((element) => element.remove());
      panel().append(...this.actions(claim));
      if (focused) one("[data-choice=" + focused + "]", panel())?.focus();
    },

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
      const decision = this.of(claim);
      const box = make("div", "", { class: "acts", role: "group", "aria-label": "Decide" });
      [["accept", "Accept"], ["restore", "Restore"], ["mark", "Mark"], ["drop", "Drop"]].forEach(([choice, name]) => {
        const button = keyed(name, choice[0], { "data-choice": choice, "aria-pressed": String(decision?.decision === choice) });
        button.disabled = !this.can(claim, choice);
        button.addEventListener("click", () => this.decide(claim, choice));
        box.append(button);
      });
      const label = make("label", "Note ");
      label.append(make("kbd", "n", { "aria-hidden": "true" }));
      const area = make("textarea", "", { rows: "1", maxlength: "2000", "aria-label": "Note" });
      area.value = decision?.why ?? "";
      area.addEventListener("change", () => {
        const why = area.value.trim();
        const before = this.of(claim);
        if (why === (before?.why ?? "")) return;
        if (!why && before?.decision === "note") this.set(claim, null, before);
        else this.decide(claim, before?.decision ?? "note", why);
      });
      label.append(area);
      box.append(label);
      if (decision) box.append(make("p", past[decision.decision] + (decision.who ? " by " + decision.who : ""), { class: "decided" }));
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
      const asked = order.filter((claim) => claim.asks && claim.h);
      const done = asked.filter((claim) => this.has(claim)).length;
      const bar = document.getElementById("bar");
      bar.max = Math.max(asked.length, 1);
      bar.value = asked.length ? done : 1;
      bar.hidden = !asked.length;
      const more = order.filter((claim) => !(claim.asks && claim.h) && this.has(claim)).length;
      document.getElementById("done").textContent = (asked.length ? figure(done) + " of " + figure(asked.length) + " decided" : "Nothing asks for a decision")
        + (more ? ", " + figure(more) + " more" : "");
      document.getElementById("next").disabled = done === asked.length;
      document.getElementById("undo").disabled = !this.past.length;
    },

    file() {
      const here = order.filter((claim) => this.has(claim)).map((claim) => ({ ...this.of(claim), claim_id: claim.id, who: this.of(claim).who || this.who }));
      return JSON.stringify({ schema: "cited/decisions/1", draft: document.body.dataset.draft ?? "", decisions: here }, null, 2) + "\n";
    },

    // What replays the decisions. A path with anything but plain characters is quoted as a shell wants it.
    command() {
      const draft = document.body.dataset.draft ?? "";
      const plain = /^[\w./+-]+$/.test(draft);
      return "cited verify " + (plain ? draft : "'" + draft.replaceAll("'", "'\\''") + "'") + " --decisions decisions.json";
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
      const told = "decisions.json with " + figure(many) + (many === 1 ? " decision" : " decisions") + (this.who ? "" : ", without a name");
      document.getElementById("done").textContent = told;
      document.getElementById("command").hidden = false;
      one("#command code").textContent = this.command();
      say(told);
    },
  };

  const past = { accept: "accepted", restore: "restored", mark: "marked", drop: "dropped", note: "noted" };
})();
