"""Pairs of passage and claim for training: which sets, which labels, and negatives made by rule.

A pair is (passage, claim, label) with the labels of `LABELS` by number, or `NOT_ENTAILED` where a set does not tell neutral
from contradicted.
"""

import json
import re
import zlib

LABELS = ["entailment", "neutral", "contradiction"]
NOT_ENTAILED = 3

# Sets with a licence and the most rows of each: FEVER, SNLI (CC BY-SA), MultiNLI (OANC, CC BY), counterfactual SNLI
# (Apache-2.0), SciTail (Apache-2.0), RTE, CG2C (MIT), SciFact (CC BY).
GENERAL = {
    "fever_dev_rte": 13000, "mnli": 20000, "cad_nli": 5000, "snli": 4000, "scitail": 2200, "rte": 2500, "cg2c_doc": 2100,
    "cg2c_musique": 600, "scifact_rte": 800,
}
# The training sets of the model of `testdata/model`.
SMALL = {"fever_dev_rte": 13000, "mnli": 20000, "snli": 10000, "scitail": 2200, "rte": 2500}
# Dev sets with a free licence whose halves share no sources, or whose shared ones are left out below.
DOMAIN = ["wice", "factcheckgpt", "fm2", "feversym", "expertqa", "summedits"]


def general(folder, sets):
    """The rows of the training sets."""
    found = []
    for name, most in sets.items():
        with open(folder / f"{name}.jsonl") as lines:
            for line in list(lines)[:most]:
                row = json.loads(line)
                binary = row["meta"].get("binary", name == "scitail")
                label = {"supported": 0, "contradicted": 2}.get(row["label"], 1)
                found.append((row["premise"], row["hypothesis"], NOT_ENTAILED if binary and label else label))
    return found


def domain(path):
    """Rows of `evaluate --passages`: (learnt, held), half A only, and of it only what shares no passage with half B.

    A fifth of them is held back: weights beside the combiner are chosen on it.
    """
    with open(path) as lines:
        rows = [json.loads(line) for line in lines]
    seen = {row["source"] for row in rows if row["half"] == 1}
    told = {row["set"] for row in rows if row["label"] == "contradicted"}
    learnt, held = [], []
    for row in rows:
        if row["half"] == 1 or row["set"] not in DOMAIN or row["source"] in seen:
            continue
        label = {"supported": 0, "contradicted": 2, "partial": 1}.get(row["label"])
        if label is None:
            label = 1 if row["set"] in told else NOT_ENTAILED
        pair = (row["passage"], row["claim"], label)
        (held if zlib.crc32(row["id"].encode()) % 5 == 0 else learnt).append((row["set"], *pair))
    return learnt, held


def negative(pair, generator):
    """A claim that was entailed, changed so that it no longer is; none when nothing in it can be changed."""
    passage, claim, _ = pair
    ways = [other_number, other_name, denied]
    for way in generator.permutation(len(ways)):
        made = ways[way](passage, claim, generator)
        if made:
            return (passage, *made)
    return None


def other_number(passage, claim, generator):
    numbers = list(re.finditer(r"\d+(?:[.,]\d+)*", claim))
    if not numbers:
        return None
    chosen = numbers[generator.integers(len(numbers))]
    old = chosen.group()
    others = [n for n in re.findall(r"\d+(?:[.,]\d+)*", passage) if n != old and len(n) == len(old)]
    if others and generator.random() < 0.6:
        new = others[generator.integers(len(others))]
    else:
        place = int(generator.integers(sum(c.isdigit() for c in old)))
        digits = [i for i, c in enumerate(old) if c.isdigit()]
        at = digits[place]
        new = old[:at] + str((int(old[at]) + int(generator.integers(1, 9))) % 10) + old[at + 1 :]
        if new.startswith("0") and not old.startswith("0"):
            new = "1" + new[1:]
    if new == old:
        return None
    return claim[: chosen.start()] + new + claim[chosen.end() :], 2


def other_name(passage, claim, generator):
    names = r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*"
    mine = list(re.finditer(names, claim))
    theirs = [name for name in re.findall(names, passage) if name not in claim]
    if not mine or not theirs:
        return None
    chosen = mine[generator.integers(len(mine))]
    if chosen.group() not in passage:
        return None
    new = theirs[generator.integers(len(theirs))]
    return claim[: chosen.start()] + new + claim[chosen.end() :], NOT_ENTAILED


def denied(_passage, claim, generator):
    if re.search(r"\b(?:not|no|never|none|nor|without)\b|n't\b", claim, re.IGNORECASE):
        return None
    verb = re.search(r"\b(?:is|was|are|were|has been|have been|can|will|could|would|should)\b", claim)
    if not verb:
        return None
    word = "never" if generator.random() < 0.25 else "not"
    return f"{claim[: verb.end()]} {word}{claim[verb.end() :]}", 2
