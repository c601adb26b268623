"""Fits how an entailment model counts beside the words: the `combination` and `even` of its card.

    evaluate EVAL_DIR/dev --features dev.tsv --passages passages.jsonl
    evaluate EVAL_DIR/train --features train.tsv
    evaluate EVAL_DIR/dev --half a --model CARD --readings readings.jsonl
    python3 training/stack.py dev.tsv train.tsv passages.jsonl readings.jsonl src/judge/data/combiner.tsv [--unlearnt] \\
        [--card card.json]

Needs numpy and scikit-learn. Fitted is a logistic regression over the log-odds of words and model, on claims of the A halves
that neither has learnt: the trees of the words are made anew for each of five folds by source, and of the sets that
`cross_encoder.py` learns from only the fifth that it holds back is used (`--unlearnt`: the model has learnt from no dev set, all
are used). Only sets with a free licence count in the fit, each with the same weight; thresholds are chosen on all seven. Five
folds by source say what it gives; claims that no model changes count as they are.
"""

import argparse
import json
import pathlib
import zlib

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from combine import CALIBRATED, REPORTED, balanced, fit, load, training_rows
from pairs import DOMAIN

NAMED = REPORTED[:7]
FOLDS = 5
# As in judge::meaning.
CLIP, LEAST_ENTAILED = 0.01, 0.2
# The confidence from which a claim is supported.
SUPPORTED = 0.6
# Of the supported claims of any set, the most that the model may say to be contradicted; and how often it has to be right.
MOST_ACCUSED, LEAST_RIGHT = 0.01, 0.8


def odds(p):
    p = np.clip(p, CLIP, 1 - CLIP)
    return np.log(p / (1 - p))


def columns(words, rows):
    entails, contradicts = (odds(np.array([row[name] for row in rows])) for name in ("entails", "contradicts"))
    each = np.array([row["each"] for row in rows])
    return np.stack([words, entails, contradicts, words * entails, each], 1)


def calibration(path):
    with open(path) as lines:
        for line in lines:
            if line.startswith("calibration"):
                return [float(value) for value in line.split("\t")[1:]]
    raise SystemExit(f"{path} has no calibration")


def words_of(dev, train, sources, slope, offset):
    """The words' log-odds of every claim, from trees that have seen no claim about its source."""
    folds = np.array([zlib.crc32(source.encode()) % FOLDS for source in sources])
    found = np.zeros(len(folds))
    for fold in range(FOLDS):
        others = tuple(part[folds != fold] for part in dev)
        found[folds == fold] = fit(*training_rows(others, train)).decision_function(dev[4][folds == fold])
    return odds(1 / (1 + np.exp(-(slope * found + offset)))), folds


def fresh(row, seen, unlearnt):
    held = row["set"] not in DOMAIN or row["source"] in seen or zlib.crc32(row["id"].encode()) % 5 == 0
    return row["set"] in NAMED and row["half"] == 0 and (unlearnt or held)


def even_of(p, y, sets):
    def mean(threshold):
        return np.mean([balanced(y[sets == name], p[sets == name], threshold) for name in np.unique(sets)])
    thresholds = np.arange(0.2, 0.8, 0.01)
    # Of one threshold the best is chance: those beside it have to be good too.
    smooth = np.convolve([mean(threshold) for threshold in thresholds], np.ones(7) / 7, "valid")
    return thresholds[3:-3][smooth.argmax()]


def error(p, y):
    bins = np.minimum((p * 10).astype(int), 9)
    return sum(abs(p[bins == b].mean() - y[bins == b].mean()) * np.mean(bins == b) for b in range(10) if np.any(bins == b))


def regression(x, y, sets):
    weights = np.array([1.0 / np.sum(sets == name) for name in sets])
    return LogisticRegression(C=10.0).fit(x, y, sample_weight=weights / weights.mean())


def entailment_of(rows, movable, stacked, y):
    """From which probability of entailment a claim may become supported: the least at which that is right often enough."""
    entails = np.array([row["entails"] for row in rows])
    before = np.array([row["confidence"] for row in rows]) >= SUPPORTED
    believed = 1.0
    for threshold in (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5):
        said = movable & (stacked >= SUPPORTED) & (entails >= threshold)
        right = y[said].mean() if np.any(said) else 1.0
        print(f"supported from {threshold}: said {said.sum()}, right {right:.3f}; of {(said & ~before).sum()} that words do not support {y[said & ~before].mean():.3f}")
        if right >= LEAST_RIGHT:
            believed = threshold
    return believed


def contradiction_of(rows, movable, y, sets):
    """From which probability the model is believed when it contradicts: the least that accuses few supported claims of any set."""
    entails, contradicts = (np.array([row[name] for row in rows]) for name in ("entails", "contradicts"))
    told = {row["set"] for row in rows if row["label"] == "contradicted"}
    is_told = np.array([row["set"] in told for row in rows])
    really = np.array([row["label"] == "contradicted" for row in rows])
    believed = 1.0
    for threshold in (0.999, 0.995, 0.99, 0.98, 0.97, 0.95, 0.9, 0.85, 0.8):
        said = movable & (contradicts >= threshold) & (entails <= LEAST_ENTAILED)
        accused = max(np.mean(said[(sets == name) & (y == 1)]) for name in np.unique(sets))
        right = really[said & is_told].mean() if np.any(said & is_told) else 1.0
        print(f"contradicted from {threshold}: said {said.sum()}, right {right:.3f}, supported ones accused at most {accused:.4f}")
        if accused > MOST_ACCUSED or right < LEAST_RIGHT:
            break
        believed = threshold
    return believed


def main():
    parser = argparse.ArgumentParser()
    for name in ("dev", "train", "passages", "readings", "combiner"):
        parser.add_argument(name)
    parser.add_argument("--unlearnt", action="store_true")
    parser.add_argument("--card", type=pathlib.Path, help="the card to write it into")
    options = parser.parse_args()
    rows = [json.loads(line) for line in open(options.readings)]
    of = {(row["set"], row["id"]): row for row in rows}
    dev, train = load(options.dev), load(options.train, "train:")
    known = np.array([(s, i) in of for s, i in zip(dev[0], dev[1])])
    # Trees may learn from all of A; what is stacked is what there are readings of.
    sources = [str(of[(s, i)]["source"]) if (s, i) in of else i for s, i in zip(dev[0], dev[1])]
    words, folds = words_of(dev, train, sources, *calibration(options.combiner))
    # Sources that stand in both halves: cross_encoder.py leaves their claims out.
    passages = [json.loads(line) for line in open(options.passages)]
    seen = {row["source"] for row in passages if row["half"] == 1}
    chosen = np.array([k and fresh(of[(s, i)], seen, options.unlearnt) for s, i, k in zip(dev[0], dev[1], known)])
    rows = [of[(s, i)] for s, i, c in zip(dev[0], dev[1], chosen) if c]
    words, folds, sets = words[chosen], folds[chosen], dev[0][chosen]
    y = (dev[3][chosen] == "supported").astype(int)
    movable = np.array([not row["fixed"] for row in rows])
    x = columns(words, rows)
    without = np.where(movable, 1 / (1 + np.exp(-words)), [row["confidence"] for row in rows])
    stacked = without.copy()
    fitted = movable & np.isin(sets, CALIBRATED)
    for fold in range(FOLDS):
        learnt = fitted & (folds != fold)
        found = regression(x[learnt], y[learnt], sets[learnt])
        asked = movable & (folds == fold)
        stacked[asked] = found.predict_proba(x[asked])[:, 1]
    figures = []
    for p in (without, stacked):
        even = even_of(p, y, sets)
        figures.append([(balanced(y[sets == n], p[sets == n], even), roc_auc_score(y[sets == n], p[sets == n]), error(p[sets == n], y[sets == n])) for n in NAMED])
        print(f"even odds at {even:.2f}")
    print(f"{'set':<18} {'claims':>6} {'open':>6} | bacc, AUC, calibration error without | with")
    for n, name in enumerate(NAMED):
        here = sets == name
        figures_of = "  |  ".join(" ".join(f"{value:.3f}" for value in part[n]) for part in figures)
        print(f"{name:<18} {here.sum():>6} {(here & movable).sum():>6} | {figures_of}")
    print("mean | " + "  |  ".join(" ".join(f"{value:.3f}" for value in np.mean(part, 0)) for part in figures))
    entailment = entailment_of(rows, movable, stacked, y)
    contradiction = contradiction_of(rows, movable, y, sets)
    found = regression(x[fitted], y[fitted], sets[fitted])
    names = ("words", "entailment", "contradiction", "product", "each")
    combination = {"bias": round(float(found.intercept_[0]), 4)}
    combination |= {name: round(float(value), 4) for name, value in zip(names, found.coef_[0])}
    chosen = {"combination": combination, "entailment": entailment, "contradiction": contradiction, "even": round(float(even_of(stacked, y, sets)), 2)}
    print(json.dumps(chosen))
    if options.card:
        card = json.loads(options.card.read_text())
        card.pop("weight", None)
        options.card.write_text(json.dumps(card | chosen, indent=2) + "\n")


if __name__ == "__main__":
    main()
