"""Counts in how many texts a word stands and writes src/text/data/frequency.tsv.

    python3 training/frequency.py EVAL_DIR > src/text/data/frequency.tsv

EVAL_DIR/train holds JSON Lines with `premise` and `hypothesis`. Only sets with an open licence are read. Single word
counts are facts about the language; no row of the sets is kept.
"""

import collections
import json
import math
import pathlib
import re
import sys

OPEN_SETS = ["fever_dev_rte", "cg2c_doc", "cg2c_musique", "mnli", "snli", "scitail", "rte", "scifact_rte", "citint"]
KEPT = 3000


def main():
    texts = 0
    seen = collections.Counter()
    for name in OPEN_SETS:
        with open(pathlib.Path(sys.argv[1]) / "train" / f"{name}.jsonl") as rows:
            for row in rows:
                row = json.loads(row)
                for text in {row["premise"][:2000], row["hypothesis"]}:
                    texts += 1
                    seen.update(set(re.findall(r"[a-z]+", text.lower())))
    by_rarity = collections.defaultdict(list)
    for word, count in seen.most_common(KEPT):
        if len(word) > 1:
            by_rarity[round(math.log(texts / count) * 4) / 4].append(word)
    print("# The most frequent English words by rarity, ln(texts / texts with the word), rounded to quarters.")
    print("# source: counted by training/frequency.py")
    print("class\tlang\twords")
    for rarity in sorted(by_rarity):
        print(f"{rarity:.2f}\ten\t{'|'.join(by_rarity[rarity])}")


main()
