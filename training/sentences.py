"""Writes claims that are sentences of their own sources, and light edits of them that stay true, for `evaluate`.

    python3 training/sentences.py EVAL_DIR sentences
    evaluate sentences/own
    evaluate sentences/edited
    evaluate sentences/changed

A judge that does not call the first two supported has missed what stands on the page; one that contradicts them deletes a true
sentence. The third says something else than its source: a judge that calls it supported passes a false sentence.
`own` has a file for each set of EVAL_DIR/dev: up to twelve sentences of each source, 4,000 of a set at most. `edited` has a file for
each edit: `writing` (numbers in another writing), `according` (*according to the report*), `front` and `tail` (the first or last
part left out), `exchanged` (two names with *and* between them). What was left out may have been needed, and exchanged names may be
parts of others: those are looked at by hand. `changed` has `denied` (*not* behind the first auxiliary verb), `opposite` (one word for
its opposite) and `renamed` (a name for another one of the source); a few of them stay true (*may or may not*).
"""

import json
import pathlib
import random
import re
import sys

PER_SOURCE, PER_SET, PER_EDIT = 12, 4000, 3000
# Sets of which every row has been changed from one of another set.
LEFT_OUT = {"numswap"}
END = re.compile(r"(?<=[.!?])[\"”)]?\s+(?=[A-Z“\"(])|\n+")
FRONT = re.compile(
    r"^(?:In|On|At|By|During|After|Before|Since|For|With|As|Although|While|When|However|Today|Currently)\b[^,]{2,60}, (.{40,})$"
)
TAIL = re.compile(r"^(.{50,}),\s[^,]{10,}[.]$")
NAMES = re.compile(r"\b([A-Z][a-z]{3,}) and ([A-Z][a-z]{3,})\b")


def front(text):
    found = FRONT.match(text)
    return found and found[1][0].upper() + found[1][1:]


def tail(text):
    found = TAIL.match(text)
    return found and found[1] + "."


def according(text):
    return "According to the report, " + (text if text[:2].isupper() else text[0].lower() + text[1:])


def exchanged(text):
    return NAMES.sub(r"\2 and \1", text, count=1)


def writing(text):
    def plain(found):
        value = int(found[0].replace(",", ""))
        return f"{value / 1e6:.2f}".rstrip("0").rstrip(".") + " million" if value >= 1_000_000 else str(value)

    changed = re.sub(r"(\d)%", r"\1 percent", re.sub(r"\b\d{1,3}(?:,\d{3})+\b", plain, text))
    return changed if changed != text else re.sub(r"\b(\d+) percent\b", r"\1%", text)


AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|should|may|might|must)\b(?! not|n't|\s+never)")
OPPOSITES = (
    "increase/decrease increased/decreased increases/decreases higher/lower more/less rose/fell first/last largest/smallest "
    "highest/lowest before/after won/lost best/worst most/least early/late northern/southern eastern/western began/ended men/women "
    "all/some always/never positive/negative improved/worsened above/below major/minor older/younger father/mother left/right "
    "with/without open/closed public/private possible/impossible legal/illegal safe/unsafe majority/minority accepted/rejected "
    "bought/sold strong/weak high/low long/short old/new same/different maximum/minimum inside/outside confirmed/denied "
    "expanded/shrank appointed/dismissed approved/banned passed/failed"
)
TURNED = {}
for pair in OPPOSITES.split():
    one, other = pair.split("/")
    TURNED |= {one: other, other: one}


def denied(text, source, chance):
    found = AUXILIARY.search(text)
    return found and f"{text[:found.end()]} not{text[found.end():]}"


def opposite(text, source, chance):
    found = [word for word in re.finditer(r"\b[a-z]+\b", text) if word[0] in TURNED]
    word = chance.choice(found) if found else None
    return word and text[:word.start()] + TURNED[word[0]] + text[word.end():]


def renamed(text, source, chance):
    names = list(re.finditer(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]{3,}\b", text))
    others = sorted(name for name in set(re.findall(r"(?<=[a-z] )[A-Z][a-z]{3,}\b", source)) if name not in text)
    if not names or not others:
        return None
    name = chance.choice(names)
    return text[:name.start()] + chance.choice(others) + text[name.end():]


CHANGES = {"denied": denied, "opposite": opposite, "renamed": renamed}
EDITS = {"writing": writing, "according": according, "front": front, "tail": tail, "exchanged": exchanged}


def sentences(text, chance):
    found = [piece.strip() for piece in END.split(text) if piece]
    found = [piece for piece in found if 40 < len(piece) < 400 and re.search("[a-z]", piece)]
    chance.shuffle(found)
    return found[:PER_SOURCE]


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(path, len(rows))


def main():
    folder, out = map(pathlib.Path, sys.argv[1:3])
    chance = random.Random(1)
    edited, changed = {name: [] for name in EDITS}, {name: [] for name in CHANGES}
    for path in sorted(folder.glob("dev/*.jsonl")):
        name = path.name.partition(".")[0]
        if name in LEFT_OUT:
            continue
        sources = dict.fromkeys(json.loads(line)["source_text"] for line in open(path))
        rows = [
            {"id": f"{name}.{at}.{number}", "claim": claim, "source_text": source, "label": "supported", "meta": {}}
            for at, source in enumerate(sources) for number, claim in enumerate(sentences(source, chance))
        ]
        chance.shuffle(rows)
        write(out / "own" / path.name, rows[:PER_SET])
        for row in rows[:PER_SET]:
            for edit, change in EDITS.items():
                claim = change(row["claim"])
                if claim and claim != row["claim"]:
                    edited[edit].append(row | {"id": f"{row['id']}.{edit}", "claim": claim})
            for edit, change in CHANGES.items():
                claim = change(row["claim"], row["source_text"], chance)
                if claim:
                    changed[edit].append(row | {"id": f"{row['id']}.{edit}", "claim": claim, "label": "contradicted"})
    for kind, sets in (("edited", edited), ("changed", changed)):
        for edit, rows in sets.items():
            chance.shuffle(rows)
            write(out / kind / f"{edit}.jsonl", rows[:PER_EDIT])


main()
