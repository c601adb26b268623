"""Trains a small cross-encoder and writes it as ONNX with a card, for `--model PATH`.

    python3 training/cross_encoder.py EVAL_DIR/train OUT_DIR [--minutes 5] [--layers 2] [--width 64] [--vocabulary 4096]
    python3 training/cross_encoder.py EVAL_DIR/train OUT_DIR --base FOLDER --minutes 30
    python3 training/cross_encoder.py EVAL_DIR/train OUT_DIR --start OUT_DIR/weights.pt --base FOLDER \\
        --passages passages.jsonl --minutes 25 [--swaps swap-passages.jsonl --numbers 0.5]

Needs torch, onnx, numpy and tokenizers; `--base` safetensors too. OUT_DIR gets `model.onnx` (weights as int8, products of
whole numbers), `tokenizer.json` and `card.json` (the card that cited reads), and `weights.pt` to go on from.

Without `--base` the network starts from nothing: its defaults give a model of the kind of `testdata/model`, which proves that
users' models are read and run, and is too small to judge anything. FOLDER holds `config.json`, `model.safetensors`,
`tokenizer.json` and a checkpoint of the `BertModel` kind, such as all-MiniLM-L6-v2 (Apache-2.0), or is an OUT_DIR of before, such as `models/minilm`. `--passages` adds what
`evaluate --passages FILE` wrote: the claims of the A halves with the passages that cited finds for them. `--swaps` is the same of what
`training/swaps.py` made: `--numbers` of the pairs then ask whether a number is the one that the passage has for it (`values.py`).

The rate falls to nothing at the end of the minutes, whatever the machine has done by then; weights are kept every ten.
Seeds are fixed, yet two runs differ: a faster one sees more pairs.
"""

import argparse
import json
import pathlib
import time

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from encoder import Encoder, export, from_base, from_export
from pairs import GENERAL, LABELS, NOT_ENTAILED, SHARES, SMALL, among_others, domain, general, negative
from values import numbered, parents, runs, sources

EXAMPLE = ("A man rides a red motorcycle in the street.", "A man rides a motorcycle.")
# Tokens of a batch, padding included.
BATCH = 1536
# Part of the entailed pairs that come changed by rule.
CHANGED = 0.25
# Part of the pairs of training sets whose passage stands beside another one, and the longest passages that do.
AMONG, SHORT = 0.3, 500
KEEP_EVERY = 600


def tokenizer_of(texts, size):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    tokenizer.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=size, special_tokens=special))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


def batches(tokenizer, draw, generator):
    """Batches without end: pairs of like length together, so that little is padded."""
    while True:
        pairs = [draw() for _ in range(600)]
        for n, pair in enumerate(pairs):
            if pair[2] == 0 and generator.random() < CHANGED:
                pairs[n] = negative(pair, generator) or pair
        encoded = tokenizer.encode_batch([pair[:2] for pair in pairs])
        order = sorted(range(len(pairs)), key=lambda n: len(encoded[n].ids))
        made, chosen = [], []
        for n in order:
            if chosen and (len(chosen) + 1) * len(encoded[n].ids) > BATCH:
                made.append(chosen)
                chosen = []
            chosen.append(n)
        made.append(chosen)
        for at in generator.permutation(len(made)):
            yield tensors([encoded[n] for n in made[at]]), torch.tensor([pairs[n][2] for n in made[at]])


def tensors(encoded):
    longest = max(len(one.ids) for one in encoded)
    pad = lambda values: values + [0] * (longest - len(values))
    columns = [[pad(getattr(one, name)) for one in encoded] for name in ("ids", "attention_mask", "type_ids")]
    return [torch.tensor(column) for column in columns]


def loss_of(logits, labels):
    logs = logits.float().log_softmax(-1)
    losses = -logs.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    unknown = -torch.logsumexp(logs[:, 1:], -1)
    return torch.where(labels == NOT_ENTAILED, unknown, losses).mean()


def train(model, stream, minutes, rate, keep):
    """Goes through the stream until the minutes are over; gives the number of steps and tokens."""
    learnt = [one for one in model.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=rate, weight_decay=0.01, fused=True)
    begun = kept = time.monotonic()
    steps = tokens = 0
    running = 0.0
    for columns, labels in stream:
        spent = (time.monotonic() - begun) / (minutes * 60)
        if spent >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, spent / 0.04 + 0.02) * (1 - spent)
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(*columns)
        loss = loss_of(logits, labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        steps += 1
        tokens += int(columns[1].sum())
        running = loss.item() if steps == 1 else 0.98 * running + 0.02 * loss.item()
        if steps % 50 == 0:
            print(f"step {steps} tokens {tokens} spent {spent:.2f} loss {running:.3f}", flush=True)
        if time.monotonic() - kept > KEEP_EVERY:
            kept = time.monotonic()
            keep()
    return steps, tokens


def probabilities(model, tokenizer, pairs):
    """What the model says of each pair."""
    model.eval()
    encoded = tokenizer.encode_batch([pair[:2] for pair in pairs])
    order = sorted(range(len(pairs)), key=lambda n: len(encoded[n].ids))
    said = np.zeros((len(pairs), len(LABELS)))
    with torch.no_grad():
        for at in range(0, len(order), 16):
            chosen = order[at : at + 16]
            said[chosen] = model(*tensors([encoded[n] for n in chosen])).softmax(-1).numpy()
    return said


def accuracy(said, labels):
    labels = np.array(labels)
    best = said.argmax(-1)
    return float(np.where(labels == NOT_ENTAILED, best != 0, best == labels).mean())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("train", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--base", type=pathlib.Path)
    parser.add_argument("--start", type=pathlib.Path)
    parser.add_argument("--passages", type=pathlib.Path)
    parser.add_argument("--share", type=float, default=0.25, help="part of the pairs that are of --passages")
    parser.add_argument("--swaps", type=pathlib.Path)
    parser.add_argument("--numbers", type=float, default=0.5, help="part of the pairs that ask for a number, with --swaps")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--vocabulary", type=int, default=4096)
    options = parser.parse_args()
    torch.manual_seed(7)
    torch.set_num_threads(options.threads)
    longest = 224 if options.base else 128
    data = general(options.train, GENERAL if options.base else SMALL)
    order = np.random.default_rng(3).permutation(len(data))
    held, learnt = [data[n][1:] for n in order[:1000]], [data[n] for n in order[1000:]]
    if options.base:
        tokenizer = Tokenizer.from_file(str(options.base / "tokenizer.json"))
        tokenizer.no_padding()
        written = options.base / "model.onnx"
        model = from_export(written, dropout=0.1) if written.exists() else from_base(options.base, dropout=0.1)
        # The words are known; what is learnt is how to read two texts beside each other.
        model.words.weight.requires_grad = model.places.weight.requires_grad = False
    else:
        tokenizer = tokenizer_of((text for row in data for text in row[1:3]), options.vocabulary)
        model = Encoder(tokenizer.get_vocab_size(), options.width, 2 * options.width, options.layers, 4, longest)
    if options.start:
        model.load_state_dict(torch.load(options.start))
    tokenizer.enable_truncation(longest, strategy="longest_first")
    generator = np.random.default_rng(11)
    own, own_held = domain(options.passages) if options.passages else ([], [])
    if own:
        print(f"{len(own)} pairs of the A halves, {len(own_held)} held back", flush=True)

    sets = sorted({row[0] for row in learnt})
    rows = {name: [row[1:] for row in learnt if row[0] == name] for name in sets}
    weights = np.array([SHARES[name] if options.base else len(rows[name]) for name in sets], dtype=float)

    claims = parents(options.swaps) if options.swaps else []
    taken = runs(sources(options.train.parent)) if options.swaps else []

    def draw():
        if claims and generator.random() < options.numbers:
            return numbered(claims, taken, generator)
        if own and generator.random() < options.share:
            return own[generator.integers(len(own))][1:]
        one = rows[sets[generator.choice(len(sets), p=weights / weights.sum())]]
        pair = one[generator.integers(len(one))]
        if options.base and len(pair[0]) < SHORT and generator.random() < AMONG:
            other = learnt[generator.integers(len(learnt))][1]
            return among_others(pair, other, generator) if len(other) < SHORT else pair
        return pair

    options.out.mkdir(parents=True, exist_ok=True)
    keep = lambda: torch.save(model.state_dict(), options.out / "weights.pt")
    rate = options.rate or (1e-4 if options.base else 3e-3)
    model.train()
    steps, tokens = train(model, batches(tokenizer, draw, generator), options.minutes, rate, keep)
    keep()
    figures = {"steps": steps, "tokens": tokens, "held_out_rows": len(held)}
    figures["held_out_accuracy"] = round(accuracy(probabilities(model, tokenizer, held), [row[2] for row in held]), 3)
    if own_held:
        said = probabilities(model, tokenizer, [row[1:] for row in own_held])
        for name in sorted({row[0] for row in own_held}):
            rows = [n for n, row in enumerate(own_held) if row[0] == name]
            right = np.mean([(said[n, 0] >= 0.5) == (own_held[n][3] == 0) for n in rows])
            print(f"held back of {name}: {len(rows)} rows, supported or not right on {right:.3f}")
    print(figures)
    export(model, options.out / "model.onnx")
    example = probabilities(model, tokenizer, [EXAMPLE])[0]
    tokenizer.no_truncation()
    tokenizer.save(str(options.out / "tokenizer.json"), pretty=False)
    learnt_from = [*(GENERAL if options.base else SMALL), *sorted({row[0] for row in own})]
    start = f"from {options.base.name}" if options.base else "from nothing"
    card = {
        "name": f"cross-encoder of {len(model.layers)} layers of {model.words.embedding_dim}, {start}, by training/cross_encoder.py",
        "model": "model.onnx",
        "tokenizer": "tokenizer.json",
        "labels": LABELS,
        "longest": longest,
        "licence": "CC BY-SA 4.0 (trained on " + ", ".join(learnt_from) + ")",
        "figures": figures,
        "weight": 0.7 if options.base else 0.1,
        "example": {"premise": EXAMPLE[0], "hypothesis": EXAMPLE[1], "probabilities": [round(float(one), 4) for one in example]},
    }
    (options.out / "card.json").write_text(json.dumps(card, indent=2) + "\n")


if __name__ == "__main__":
    main()
