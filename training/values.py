"""Pairs in which a number of the claim may be another one of its passage, for `training/cross_encoder.py --swaps`.

Two sources: supported claims with a number that their passage has (of `training/swaps.py`, with the passages that `evaluate --passages`
finds for them), and sentences of the sources themselves, shortened, with the sentences round them as the passage. Every draw is
new: as it is, with a number that the passage has elsewhere, with other figures, or with two numbers that change places.
"""

import json
import re
import zlib

from swaps import fnv

NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)")
SENTENCE = re.compile(r'(?<=[.!?])\s+(?=[A-Z"“])')
CLAUSE = re.compile(r"(?<=[,;:–—])\s+")
# Part of the pairs that come from supported claims, and part of all that stay as they are.
OF_CLAIMS, AS_IT_IS = 0.55, 0.4
# How often two numbers change places, and how often a new number is one of the passage.
EXCHANGED, OF_PASSAGE = 0.15, 0.85
# Most characters of a run of sentences, and the fewest different numbers in it.
LONGEST_RUN, FEWEST = 1100, 3
# Training sets whose passages are read for sentences.
READ = ("cg2c_doc", "cg2c_musique", "fever_dev_rte", "rte")
READ_DEV = ("wice", "factcheckgpt", "fm2", "expertqa", "summedits")


def parent_of(name):
    """The id of the claim that a row of `swaps.py` was made from."""
    return name[4:].rsplit(".", 1)[0] if name.startswith("sw-") else name[4:]


def is_held(name):
    """Every tenth parent is held back: what a model does with swapped numbers is measured on it."""
    return zlib.crc32(parent_of(name).encode()) % 10 == 0


def is_year(number):
    return len(number) == 4 and number.isdigit() and 1000 < int(number) < 2100


def parents(path):
    """Supported claims with a number that the passage has, and their passages."""
    with open(path) as lines:
        rows = [json.loads(line) for line in lines]
    kept = [row for row in rows if row["id"].startswith("sw+.") and not is_held(row["id"])]
    return [(row["passage"], row["claim"]) for row in kept if any(n.group() in row["passage"] for n in NUMBER.finditer(row["claim"]))]


def runs(texts):
    """Three to five sentences in a row with several numbers."""
    found, seen = [], set()
    for text in texts:
        key = zlib.crc32(text.encode())
        if key in seen:
            continue
        seen.add(key)
        sentences = [one for one in SENTENCE.split(text.replace("\n", " ")) if 30 < len(one) < 400]
        at = 0
        while at < len(sentences):
            length = 3 + (key + at) % 3
            run = sentences[at : at + length]
            at += length
            if len(set(NUMBER.findall(" ".join(run)))) >= FEWEST and sum(map(len, run)) < LONGEST_RUN:
                found.append(run)
    return found


def sources(folder):
    """The texts that sentences are taken from: of training sets, and of A halves with a free licence whose sources no B half has."""
    for name in READ:
        with open(folder / "train" / f"{name}.jsonl") as lines:
            for line in lines:
                yield json.loads(line)["premise"]
    halves = (set(), set())
    for name in READ_DEV:
        with open(folder / "dev" / f"{name}.dev.jsonl") as lines:
            for line in lines:
                row = json.loads(line)
                halves[fnv(row["id"]) % 2].add(row["source_text"])
    yield from sorted(halves[0] - halves[1])


def swapped(passage, claim, generator):
    mine = list(NUMBER.finditer(claim))
    if not mine:
        return None
    chosen = mine[generator.integers(len(mine))]
    old, used = chosen.group(), {number.group() for number in mine}
    others = [number.group() for number in NUMBER.finditer(passage)]
    others = [n for n in others if n not in used and is_year(n) == is_year(old) and abs(len(n) - len(old)) <= 1]
    if others and generator.random() < OF_PASSAGE:
        new = others[generator.integers(len(others))]
    elif generator.random() < 0.5:
        places = [at for at, sign in enumerate(old) if sign.isdigit()]
        at = places[generator.integers(len(places))]
        new = old[:at] + str((int(old[at]) + int(generator.integers(1, 9))) % 10) + old[at + 1 :]
        new = "1" + new[1:] if new.startswith("0") else new
    else:
        return None
    return claim[: chosen.start()] + new + claim[chosen.end() :] if new != old else None


def exchanged(claim, generator):
    mine = list(NUMBER.finditer(claim))
    if len(mine) < 2:
        return None
    at = int(generator.integers(len(mine) - 1))
    one, other = mine[at], mine[at + 1]
    alike = one.group() != other.group() and is_year(one.group()) == is_year(other.group())
    if not alike or other.start() - one.end() < 8:
        return None
    return claim[: one.start()] + other.group() + claim[one.end() : other.start()] + one.group() + claim[other.end() :]


def shortened(run, generator):
    """A sentence of a run with a number, without some of its clauses and words, and the whole run."""
    having = [sentence for sentence in run if NUMBER.search(sentence)]
    sentence = having[generator.integers(len(having))]
    words = sentence.split()
    if generator.random() < 0.5:
        parts = CLAUSE.split(sentence)
        with_number = [n for n, part in enumerate(parts) if NUMBER.search(part)]
        if len(parts) > 1 and with_number:
            n = with_number[generator.integers(len(with_number))]
            first, last = max(0, n - int(generator.integers(0, 2))), min(len(parts), n + 1 + int(generator.integers(0, 2)))
            clause = " ".join(parts[first:last]).strip(" ,;:–—").split()
            words = clause if len(clause) >= 5 else words
    left_out = generator.random() * 0.3
    claim = " ".join(word for word in words if NUMBER.search(word) or generator.random() > left_out)
    return (" ".join(run), claim) if len(claim.split()) >= 4 and NUMBER.search(claim) else None


def numbered(claims, taken, generator):
    """A pair with a number, entailed or contradicted by label 0 or 2."""
    while True:
        of_claims = generator.random() < OF_CLAIMS
        pair = claims[generator.integers(len(claims))] if of_claims else shortened(taken[generator.integers(len(taken))], generator)
        if not pair:
            continue
        if generator.random() < AS_IT_IS:
            return (*pair, 0)
        made = exchanged(pair[1], generator) if generator.random() < EXCHANGED else None
        made = made or swapped(*pair, generator)
        if made:
            return (pair[0], made, 2)
