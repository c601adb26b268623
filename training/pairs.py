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
    "cg2c_musique": 1000, "scifact_rte": 800, "expertqa_extra": 160,
}
# How often a pair is drawn from each of them, in the proportion of these: those with passages of several sentences more often
# than their rows would have it.
SHARES = {
    "fever_dev_rte": 25, "mnli": 20, "cad_nli": 12, "cg2c_doc": 12, "cg2c_musique": 5, "snli": 5, "scitail": 5, "rte": 6,
    "scifact_rte": 5, "expertqa_extra": 2,
}
# The training sets of the model of `testdata/model`.
SMALL = {"fever_dev_rte": 13000, "mnli": 20000, "snli": 10000, "scitail": 2200, "rte": 2500}
# Dev sets with a free licence whose halves share no sources, or whose shared ones are left out below.
DOMAIN = ["wice", "factcheckgpt", "fm2", "feversym", "expertqa", "summedits"]


def general(folder, sets):
    """The rows of the training sets, each with the name of its set in front."""
    found = []
    for name, most in sets.items():
        with open(folder / f"{name}.jsonl") as lines:
            for line in list(lines)[:most]:
                row = json.loads(line)
                binary = row["meta"].get("binary", name == "scitail")
                label = {"supported": 0, "contradicted": 2}.get(row["label"], 1)
                found.append((name, row["premise"], row["hypothesis"], NOT_ENTAILED if binary and label else label))
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
    ways = [other_number, other_name, denied, turned, exchanged]
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


# Words that turn a statement into another one, in both directions.
CONTRARIES = [
    ("increased", "decreased"), ("increase", "decrease"), ("rose", "fell"), ("grew", "shrank"), ("higher", "lower"), ("more", "fewer"),
    ("more", "less"), ("before", "after"), ("first", "last"), ("largest", "smallest"), ("highest", "lowest"), ("most", "least"),
    ("won", "lost"), ("above", "below"), ("over", "under"), ("all", "some"), ("always", "sometimes"), ("many", "few"),
    ("male", "female"), ("north", "south"), ("east", "west"), ("northern", "southern"), ("eastern", "western"), ("older", "younger"),
    ("better", "worse"), ("best", "worst"), ("can", "cannot"), ("with", "without"), ("include", "exclude"), ("positive", "negative"),
    ("supported", "opposed"), ("allowed", "forbidden"), ("start", "end"), ("began", "ended"), ("born", "died"), ("early", "late"),
]
TURNS = {one: other for pair in CONTRARIES for one, other in (pair, pair[::-1])}


def turned(passage, claim, generator):
    """A direction, an order or a degree becomes its contrary; only one that the passage has as the claim has it."""
    words = [word for word in re.finditer(r"\b[a-z]+\b", claim) if word.group() in TURNS]
    words = [word for word in words if re.search(rf"\b{word.group()}\b", passage)]
    if not words:
        return None
    chosen = words[generator.integers(len(words))]
    return claim[: chosen.start()] + TURNS[chosen.group()] + claim[chosen.end() :], 2


def exchanged(passage, claim, generator):
    """Two names change places."""
    names = list(re.finditer(r"\b[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*", claim))
    names = [name for name in names if name.group() in passage]
    if len(names) < 2:
        return None
    at = int(generator.integers(len(names) - 1))
    one, other = names[at], names[at + 1]
    between = claim[one.end() : other.start()]
    # Beside each other in a list they may change places and mean the same.
    if one.group() == other.group() or re.fullmatch(r",?\s*(?:and|or|,)?\s*", between):
        return None
    return claim[: one.start()] + other.group() + between + one.group() + claim[other.end() :], NOT_ENTAILED


def among_others(pair, other, generator):
    """The passage with another one before or behind it: what a page has besides changes nothing."""
    passage, claim, label = pair
    texts = [passage, other] if generator.random() < 0.5 else [other, passage]
    return " ".join(texts), claim, label
