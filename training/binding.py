"""Trains the trees of judge::binding and writes src/judge/data/binding.tsv.

    python3 training/swaps.py EVAL_DIR swaps
    cargo run --release --package xtask -- evaluate swaps --bindings swaps.tsv --predictions swaps.jsonl --reasons
    cargo run --release --package xtask -- evaluate EVAL_DIR/dev --half a --bindings dev.tsv --predictions dev.jsonl --reasons
    python3 training/binding.py swaps/swap.jsonl swaps.tsv swaps.jsonl EVAL_DIR/dev/numswap.dev.jsonl dev.tsv dev.jsonl [--write FILE]

To be run with a `binding.tsv` whose threshold is 0, so that the predictions are those without it. Needs numpy and scikit-learn.
A row of a bindings file is: set, id, half, label, first byte, last byte, features. The A half of numswap is learnt from, where
its parent has a free licence. Five folds by parent, of numswap and of the claims of `swaps.py`, choose the threshold: the
highest at which the trees raise a false alarm on no more than six in 1,000 of all the unchanged claims, beside those that the
other checks raise without them.
"""

import argparse
import collections
import json
import re
import zlib

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

# More of what the page has round the value never makes it less probable that it belongs there, more round another value
# never more. The order is that of `describe` in src/judge/binding.rs.
MONOTONIC = [
    1, 1, 0, 1, 1, -1, -1, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, -1, -1, 0, 1, 1,
    1, -1, 1, -1, 0, 0, 0,
]
OWN, LOCAL, RIVAL_OWN, RIVAL_LOCAL = 0, 4, 5, 7
WEIGHTS = {
    "wice": 3, "fm2": 3, "factcheckgpt": 3, "expertqa": 2, "cg2c_doc": 1.5, "summedits": 1.5, "feversym": 1, "scifact_rte": 0.7,
    "fever_dev_rte": 0.5, "cg2c_musique": 1, "rte": 0.7, "expertqa_extra": 1, "numswap": 4,
}
# Weight of the numbers that were not changed, beside changed ones.
UNCHANGED = 0.4
FOLDS = 5
# The most false alarms that the trees may add, of all unchanged claims.
MOST_FALSE = 0.006


def load(path, wanted=None):
    for line in open(path):
        fields = line.rstrip("\n").split("\t")
        if wanted is None or fields[0] == wanted:
            yield fields[1], fields[3], int(fields[4]), int(fields[5]), [float(value) for value in fields[6:]]


def fit(rows):
    x = np.array([row[1] for row in rows])
    y = np.array([row[2] for row in rows])
    w = np.array([row[3] for row in rows], dtype=float)
    for label in (0, 1):
        w[y == label] *= 0.5 / w[y == label].sum()
    model = HistGradientBoostingClassifier(
        max_iter=150, max_leaf_nodes=8, learning_rate=0.08, min_samples_leaf=20, l2_regularization=5.0,
        monotonic_cst=MONOTONIC, early_stopping=False, random_state=1,
    )
    return model.fit(x, y, sample_weight=w / w.mean())


def known_before(path, wanted=None):
    """For each claim whether its number was changed and whether the other checks notice."""
    for row in map(json.loads, open(path)):
        if wanted is None or row["set"] == wanted:
            yield row["id"], (row["label"] != "supported", row["verdict"] == "contradicted" or row["reason"].startswith("number not"))


def main():
    parser = argparse.ArgumentParser()
    for name in ("swaps", "swap_rows", "swap_predictions", "numswap", "numswap_rows", "predictions"):
        parser.add_argument(name)
    parser.add_argument("--write")
    options = parser.parse_args()
    meta = {row["id"]: row["meta"] for row in map(json.loads, open(options.swaps))}
    # Of each number: its claim, the claim's parent, its features, whether it belongs there, its weight, whether it is learnt from.
    rows = []
    for name, label, start, end, values in load(options.swap_rows):
        said = meta[name]
        hit = start < said["end"] and end > said["start"]
        parent = name[4:] if label == "supported" else name[4:].rpartition(".")[0]
        bound = label == "supported" or not hit
        rows.append((name, parent, values, int(bound), WEIGHTS[said["of"]] * (1 if hit else UNCHANGED), True))
    known = {row["id"]: row for row in map(json.loads, open(options.numswap))}
    for name, label, start, end, values in load(options.numswap_rows, "numswap"):
        said = known[name]
        parent = re.sub(r"^ns[+-]\.", "", name)
        written = said["claim"].encode()[start:end].decode()
        bound = label == "supported" or said["meta"]["to"] not in (written, written.replace(",", ""))
        bound = bound and (label == "supported" or said["meta"]["to"] not in written)
        weight = WEIGHTS["numswap"] * (1 if label == "supported" or not bound else UNCHANGED)
        rows.append((name, parent, values, int(bound), weight, said["meta"]["src"] != "attrbench"))
    folds = np.array([zlib.crc32(row[1].encode()) % FOLDS for row in rows])
    learnt = lambda chosen: [row[1:5] for row, is_chosen in zip(rows, chosen) if is_chosen and row[5]]
    x = np.array([row[2] for row in rows])
    p = np.ones(len(rows))
    # As in `describe`: only where another value can be meant.
    meant = (x[:, RIVAL_LOCAL] >= 0.2) & (x[:, RIVAL_OWN] + x[:, RIVAL_LOCAL] >= x[:, OWN] + x[:, LOCAL] - 0.2)
    for n in range(FOLDS):
        chosen = (folds == n) & meant
        p[chosen] = fit(learnt(folds != n)).predict_proba(x[chosen])[:, 1]
    sets = {"numswap": dict(known_before(options.predictions, "numswap")), "swaps": dict(known_before(options.swap_predictions))}
    least = collections.defaultdict(lambda: 1.0)
    for row, one in zip(rows, p):
        least[row[0]] = min(least[row[0]], one)
    best = 0.0
    for threshold in np.arange(0, 0.31, 0.01):
        said = []
        for name, before in sets.items():
            rate = lambda which: np.mean([seen or least[i] < threshold for i, (is_changed, seen) in before.items() if is_changed == which])
            said.append(f"{name} caught {rate(True):.3f}, false alarms {rate(False):.3f}")
        unchanged = [(i, seen) for before in sets.values() for i, (is_changed, seen) in before.items() if not is_changed]
        added = np.mean([not seen and least[i] < threshold for i, seen in unchanged])
        print(f"threshold {threshold:.2f}: {'; '.join(said)}; false alarms added {added:.4f}")
        best = threshold if added <= MOST_FALSE else best
    print(f"chosen {best:.2f}")
    if options.write:
        from combine import write

        write(options.write, fit(learnt(np.ones(len(rows), bool))), 1.0, 0.0, best, "training/binding.py")


main()
