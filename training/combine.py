"""Trains the combiner of judge::combine and writes src/judge/data/combiner.tsv.

    cargo run --release --package xtask -- evaluate EVAL_DIR/dev --features dev.tsv
    cargo run --release --package xtask -- evaluate EVAL_DIR/train --features train.tsv
    python3 training/combine.py dev.tsv train.tsv [--write src/judge/data/combiner.tsv] [--leave-out]

Needs numpy and scikit-learn. A row of a features file is: set, id, half (0 = A), label, features. Only sets whose
licence allows it are trained on (the README of the sets names them), and of the dev sets only the A halves. Each set has
the same weight, and in it supported claims weigh as much as the others: the base rate of a set says nothing about the
next. `--leave-out` prints the balanced accuracy on each B half with that set left out of training.
"""

import argparse
import zlib

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

# Licences: ODC-BY and CC BY-SA (wice, feversym, fever), Apache-2.0 (factcheckgpt, summedits, fm2), MIT (expertqa,
# citint, cg2c), open parts of MultiNLI, SNLI (CC BY-SA), SciTail (Apache-2.0), RTE. Weight of each set.
TRAINED = {
    "wice": 2.0,
    "factcheckgpt": 2.0,
    "summedits": 1.5,
    "fm2": 1.5,
    "feversym": 1.0,
    "expertqa": 0.7,
    "citint": 0.3,
    "numswap": 1.5,
    "train:fever_dev_rte": 1.0,
    "train:cg2c_doc": 1.0,
    "train:scifact_rte": 0.4,
    "train:mnli": 0.7,
    "train:scitail": 0.5,
    "train:rte": 0.5,
    "train:snli": 0.3,
    "train:expertqa_extra": 0.3,
}
REPORTED = ["wice", "attrbench", "factcheckgpt", "faithbench_sent", "summedits", "fm2", "feversym", "numswap"]
# The curve from log-odds to probabilities is fitted on those of them that have a free licence: the other trained sets are
# excerpts with noisy labels, or made by rule, and have more supported claims than texts under check.
CALIBRATED = ["wice", "factcheckgpt", "summedits", "fm2", "feversym"]
# Rows of numswap whose parent has a licence, by the beginning of what follows the sign in their id.
LICENSED_PARENTS = ("wice.", "expertqa.", "fm2.")
MOST_ROWS = 4000
TREES, LEAVES, RATE = 250, 12, 0.05


def load(path, prefix=""):
    sets, ids, halves, labels, values = [], [], [], [], []
    with open(path) as rows:
        for row in rows:
            fields = row.rstrip("\n").split("\t")
            sets.append(prefix + fields[0])
            ids.append(fields[1])
            halves.append(int(fields[2]))
            labels.append(fields[3])
            values.append([float(value) for value in fields[4:]])
    return np.array(sets), np.array(ids), np.array(halves), np.array(labels), np.array(values, dtype=np.float32)


def training_rows(dev, train, left_out=None):
    parts = []
    generator = np.random.default_rng(7)
    for (sets, ids, halves, labels, values), only_a in ((dev, True), (train, False)):
        for name, weight in TRAINED.items():
            if left_out and (name == left_out or left_out in ("wice", "fm2") and name == "numswap"):
                continue
            chosen = sets == name
            if only_a:
                chosen &= halves == 0
            if name == "numswap":
                chosen &= np.array([i.partition(".")[2].startswith(LICENSED_PARENTS) for i in ids])
            rows = np.flatnonzero(chosen)
            if len(rows) == 0:
                continue
            if len(rows) > MOST_ROWS:
                rows = generator.choice(rows, MOST_ROWS, replace=False)
            y = (labels[rows] == "supported").astype(int)
            w = np.where(y == 1, 0.5 / max(y.sum(), 1), 0.5 / max((1 - y).sum(), 1)) * weight
            parts.append((values[rows], y, w))
    x = np.concatenate([part[0] for part in parts])
    y = np.concatenate([part[1] for part in parts])
    w = np.concatenate([part[2] for part in parts])
    return x, y, w / w.mean()


def fit(x, y, w, trees=TREES, leaves=LEAVES, rate=RATE):
    model = HistGradientBoostingClassifier(
        max_iter=trees, max_leaf_nodes=leaves, learning_rate=rate, min_samples_leaf=40, l2_regularization=5.0,
        max_features=0.5, early_stopping=False, random_state=3,
    )
    return model.fit(x, y, sample_weight=w)


def balanced(y, p, threshold):
    return (np.mean(p[y == 1] >= threshold) + np.mean(p[y == 0] < threshold)) / 2


def best_threshold(dev, p, names):
    sets, _, halves, labels, _ = dev
    y = (labels == "supported").astype(int)
    grid = np.arange(0.2, 0.8, 0.01)
    def mean(threshold):
        chosen = [(sets == name) & (halves == 0) for name in names]
        return np.mean([balanced(y[c], p[c], threshold) for c in chosen])
    return max(grid, key=mean)


def report(dev, p, threshold, names=REPORTED):
    sets, _, halves, labels, _ = dev
    y = (labels == "supported").astype(int)
    accuracies = []
    for name in names:
        chosen = (sets == name) & (halves == 1)
        accuracy = balanced(y[chosen], p[chosen], threshold)
        accuracies.append(accuracy)
        print(f"{name:<18} bacc {accuracy:.3f}  auc {roc_auc_score(y[chosen], p[chosen]):.3f}")
    print(f"mean of the first seven {np.mean(accuracies[:7]):.3f}")


def write(path, model, slope, offset, threshold, by):
    with open(path, "w") as out:
        out.write(f"# Made by {by}. A node is feature:threshold:left:right, a leaf is its value in log-odds.\n")
        base = float(np.ravel(model._baseline_prediction)[0])
        out.write(f"base\t{base:.5f}\ncalibration\t{slope:.4f}\t{offset:.4f}\nthreshold\t{threshold:.2f}\n")
        for (tree,) in model._predictors:
            nodes = []
            for node in tree.nodes:
                if node["is_leaf"]:
                    nodes.append(f"{node['value']:.5f}")
                else:
                    nodes.append(f"{node['feature_idx']}:{node['num_threshold']:.5f}:{node['left']}:{node['right']}")
            out.write("tree\t" + "\t".join(nodes) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dev")
    parser.add_argument("train")
    parser.add_argument("--write")
    parser.add_argument("--leave-out", action="store_true")
    options = parser.parse_args()
    dev = load(options.dev)
    train = load(options.train, "train:")
    model = fit(*training_rows(dev, train))
    odds = model.decision_function(dev[4])
    # Calibrate on the A halves as they are, every set with one weight.
    sets, _, halves, labels, _ = dev
    y = (labels == "supported").astype(int)
    calibrated = np.isin(sets, CALIBRATED) & (halves == 0)
    weights = np.array([1.0 / np.sum(calibrated & (sets == name)) if np.any(calibrated & (sets == name)) else 0 for name in sets])
    # The trees know the A halves by heart, so they are calibrated on rows that they have not seen: two folds.
    folds = np.array([zlib.crc32(i.encode()) % 2 for i in dev[1]])
    for fold in (0, 1):
        seen = (dev[0][folds != fold], dev[1][folds != fold], dev[2][folds != fold], dev[3][folds != fold], dev[4][folds != fold])
        rows = calibrated & (folds == fold)
        odds[rows] = fit(*training_rows(seen, train)).decision_function(dev[4][rows])
    line = LogisticRegression(C=1e6).fit(odds[calibrated, None], y[calibrated], sample_weight=weights[calibrated] * 1000)
    slope, offset = line.coef_[0][0], line.intercept_[0]
    # Where a row was held out its own odds are used: the decision threshold is chosen on them too.
    p = 1 / (1 + np.exp(-(slope * odds + offset)))
    threshold = best_threshold(dev, p, REPORTED[:7])
    print(f"calibration {slope:.3f} {offset:.3f}; decision threshold on A halves {threshold:.2f}")
    report(dev, p, threshold)
    if options.leave_out:
        print("each set left out of training:")
        accuracies = []
        for name in REPORTED:
            other = fit(*training_rows(dev, train, left_out=name))
            p = 1 / (1 + np.exp(-(slope * other.decision_function(dev[4]) + offset)))
            rest = [n for n in REPORTED[:7] if n != name]
            at = best_threshold(dev, p, rest)
            chosen = (sets == name) & (halves == 1)
            accuracies.append(balanced(y[chosen], p[chosen], at))
            print(f"{name:<18} bacc {accuracies[-1]:.3f} at {at:.2f}  auc {roc_auc_score(y[chosen], p[chosen]):.3f}")
        print(f"mean of the first seven {np.mean(accuracies[:7]):.3f}")
    if options.write:
        write(options.write, model, slope, offset, threshold, "training/combine.py")


if __name__ == "__main__":
    main()
