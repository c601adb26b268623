"""Writes claims with one number changed, and the same claims unchanged, for `training/binding.py`.

    python3 training/swaps.py EVAL_DIR OUT_DIR

From the supported claims with numbers of the A halves of the dev sets that have a free licence, and of training sets. The
new number is another one of the source where there is one of like length, or the old one with another figure. A parent whose
changed claim stands in half B of numswap is left out: figures are reported there. OUT_DIR gets `swap.jsonl` in the format of
the dev sets; `meta` has the bytes of the number.
"""

import json
import pathlib
import re
import sys

import numpy as np

DEV = ["wice", "factcheckgpt", "fm2", "expertqa", "feversym", "summedits"]
# Changed claims of one parent: more of the dev sets, whose sources are long as those of a user are.
SWAPS = {"dev": 8, "train": 4}
TRAIN = {"cg2c_doc": 2100, "cg2c_musique": 1100, "fever_dev_rte": 14000, "scifact_rte": 800, "rte": 2500, "expertqa_extra": 200}
# How often a new number is one of the source, and how often one of those near the old one.
OF_SOURCE, NEAR = 0.7, 0.4
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)")


def fnv(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & (2**64 - 1)
    return value


def parents(folder):
    reserved = set()
    for line in open(folder / "dev" / "numswap.dev.jsonl"):
        row = json.loads(line)
        if fnv(row["id"]) % 2:
            reserved.add(row["id"].partition(".")[2])
    for name in DEV:
        for line in open(folder / "dev" / f"{name}.dev.jsonl"):
            row = json.loads(line)
            if row["label"] == "supported" and fnv(row["id"]) % 2 == 0 and row["id"] not in reserved:
                yield name, row["id"], row["claim"], row["source_text"], SWAPS["dev"]
    for name, most in TRAIN.items():
        with open(folder / "train" / f"{name}.jsonl") as lines:
            for number, line in enumerate(list(lines)[:most]):
                row = json.loads(line)
                if row["label"] == "supported":
                    yield name, f"{name}.{number}", row["hypothesis"], row["premise"], SWAPS["train"]


def is_year(number):
    return len(number) == 4 and number.isdigit() and 1000 < int(number) < 2100


def changed(old, source, generator):
    """Another number of the source that could stand there (a year for a year), rather one near the old, or other figures."""
    found = [(n.start(), n.group()) for n in NUMBER.finditer(source)]
    others = [(at, n) for at, n in found if n != old and abs(len(n) - len(old)) <= 1]
    like = [(at, n) for at, n in others if is_year(n) == is_year(old)] or others
    same = [(at, n) for at, n in like if len(n) == len(old) and ("." in n) == ("." in old)] or like
    if same and generator.random() < OF_SOURCE:
        places = [at for at, n in found if n == old]
        if places and generator.random() < NEAR:
            same = sorted(same, key=lambda one: min(abs(one[0] - at) for at in places))[:3]
        return same[generator.integers(len(same))][1]
    places = [n for n, sign in enumerate(old) if sign.isdigit()]
    at = places[generator.integers(len(places))]
    new = old[:at] + str((int(old[at]) + int(generator.integers(1, 9))) % 10) + old[at + 1 :]
    return "1" + new[1:] if new.startswith("0") else new


def write(file, name, claim, source, label, of, start, value):
    meta = {"of": of, "start": start, "end": start + len(value.encode())}
    row = {"id": name, "claim": claim, "source_text": source, "label": label, "meta": meta}
    file.write(json.dumps(row, ensure_ascii=False) + "\n")


def main():
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    generator = np.random.default_rng(5)
    out.mkdir(parents=True, exist_ok=True)
    written = 0
    with open(out / "swap.jsonl", "w") as file:
        for name, parent, claim, source, most in parents(folder):
            numbers = list(NUMBER.finditer(claim))
            if not numbers:
                continue
            made = set()
            for _ in range(most):
                chosen = numbers[generator.integers(len(numbers))]
                new = changed(chosen.group(), source, generator)
                if new == chosen.group() or (chosen.start(), new) in made:
                    continue
                made.add((chosen.start(), new))
                swapped = claim[: chosen.start()] + new + claim[chosen.end() :]
                start = len(claim[: chosen.start()].encode())
                write(file, f"sw-.{parent}.{len(made)}", swapped, source, "contradicted", name, start, new)
            # Every number of the unchanged claim is one that belongs there.
            write(file, f"sw+.{parent}", claim, source, "supported", name, 0, claim)
            written += len(made) + 1
    print(f"{written} rows")


if __name__ == "__main__":
    main()
