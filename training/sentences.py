"""Writes claims that are sentences of their own sources, and light edits of them that stay true, for `evaluate`.

    python3 training/sentences.py EVAL_DIR sentences
    evaluate sentences/own
    evaluate sentences/edited

A judge that does not call these supported has missed what stands on the page; one that contradicts them deletes a true sentence.
`own` has a file for each set of EVAL_DIR/dev: up to twelve sentences of each source, 4,000 of a set at most. `edited` has a file for
each edit: `writing` (numbers in another writing), `according` (*according to the report*), `front` and `tail` (the first or last
part left out), `exchanged` (two names with *and* between them). What was left out may have been needed, and exchanged names may be
parts of others: those are looked at by hand.
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
    edited = {name: [] for name in EDITS}
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
    for edit, rows in edited.items():
        chance.shuffle(rows)
        write(out / "edited" / f"{edit}.jsonl", rows[:PER_EDIT])


main()
