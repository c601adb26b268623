"""Trains a small cross-encoder and writes it as ONNX with a card, for `--model PATH`.

    python3 training/cross_encoder.py EVAL_DIR/train OUT_DIR [--steps 2500] [--layers 2] [--width 64] [--vocabulary 4096]

Needs torch, onnx, numpy and tokenizers. OUT_DIR gets `model.onnx` (weights as int8, dequantised in the graph),
`tokenizer.json` and `card.json` (the card that cited reads: file names, label order, longest input). The defaults give the
model of `testdata/model`: it is there to prove that users' models are read and run, and is too small to judge anything.
The same script with more layers, width and steps trains a larger one from nothing; it starts from no pretrained weights.

Trained on the sets whose licence allows it: fever (CC BY-SA), MultiNLI, SNLI (CC BY-SA), SciTail (Apache-2.0), RTE.
Seeds are fixed; two runs still differ a little, since the trainer of the tokenizer breaks ties as they come.
"""

import argparse
import json
import pathlib

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

SETS = {"fever_dev_rte": 13000, "mnli": 20000, "snli": 10000, "scitail": 2200, "rte": 2500}
LABELS = ["entailment", "neutral", "contradiction"]
HEADS = 4
EXAMPLE = ("A man rides a red motorcycle in the street.", "A man rides a motorcycle.")
LONGEST = 128


def rows(folder):
    found = []
    for name, most in SETS.items():
        with open(folder / f"{name}.jsonl") as lines:
            for line in list(lines)[:most]:
                row = json.loads(line)
                binary = row["meta"].get("binary", name == "scitail")
                label = {"supported": 0, "contradicted": 2}.get(row["label"], 1)
                # Label 3: not entailed, and the set does not tell neutral from contradicted.
                found.append((row["premise"], row["hypothesis"], 3 if binary and label else label))
    return found


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


class Layer(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)
        self.up = torch.nn.Linear(width, 2 * width)
        self.down = torch.nn.Linear(2 * width, width)
        self.first = torch.nn.LayerNorm(width)
        self.second = torch.nn.LayerNorm(width)

    def forward(self, x, mask):
        batch, length, width = x.shape
        parts = self.qkv(x).view(batch, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        scores = parts[0] @ parts[1].transpose(-1, -2) / (width // HEADS) ** 0.5 + mask
        seen = (scores.softmax(-1) @ parts[2]).transpose(1, 2).reshape(batch, length, width)
        x = self.first(x + self.out(seen))
        return self.second(x + self.down(torch.nn.functional.gelu(self.up(x))))


class Encoder(torch.nn.Module):
    def __init__(self, vocabulary, width, layers):
        super().__init__()
        self.words = torch.nn.Embedding(vocabulary, width)
        self.places = torch.nn.Embedding(LONGEST, width)
        self.sides = torch.nn.Embedding(2, width)
        self.norm = torch.nn.LayerNorm(width)
        self.layers = torch.nn.ModuleList([Layer(width) for _ in range(layers)])
        self.head = torch.nn.Linear(width, len(LABELS))

    def forward(self, ids, attention, sides):
        x = self.words(ids) + self.places.weight[: ids.shape[1]] + self.sides(sides)
        x = self.norm(x)
        mask = (1.0 - attention[:, None, None, :].float()) * -1e4
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(x[:, 0])


def train(model, tokenizer, data, steps, batch=32):
    generator = np.random.default_rng(7)
    tokenizer.enable_truncation(LONGEST, strategy="only_first")
    encoded = [tokenizer.encode(premise, claim) for premise, claim, _ in data]
    lengths = np.array([len(one.ids) for one in encoded])
    labels = np.array([label for _, _, label in data])
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps)
    for step in range(steps):
        # Rows of like length together: less padding.
        pool = generator.choice(len(data), batch * 8, replace=False)
        pool = pool[np.argsort(lengths[pool])]
        start = generator.integers(8) * batch
        chosen = pool[start : start + batch]
        optimiser.zero_grad()
        logits = model(*tensors([encoded[i] for i in chosen]))
        loss = loss_of(logits, torch.tensor(labels[chosen]))
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 250 == 0:
            print(f"step {step} loss {loss.item():.3f}", flush=True)


def tensors(encoded):
    longest = max(len(one.ids) for one in encoded)
    pad = lambda values: values + [0] * (longest - len(values))
    columns = [[pad(getattr(one, name)) for one in encoded] for name in ("ids", "attention_mask", "type_ids")]
    return [torch.tensor(column) for column in columns]


def loss_of(logits, labels):
    logs = logits.log_softmax(-1)
    known = labels < 3
    losses = -logs.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    unknown = -torch.logsumexp(logs[:, 1:], -1)
    return torch.where(known, losses, unknown).mean()


class Graph:
    """The few ONNX operators that the encoder needs, with its weights as int8."""

    def __init__(self):
        self.nodes, self.weights, self.count = [], [], 0

    def op(self, kind, inputs, **attributes):
        self.count += 1
        name = f"t{self.count}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def constant(self, value):
        self.count += 1
        name = f"c{self.count}"
        self.weights.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def quantised(self, weight):
        weight = weight.detach().numpy()
        scale = np.float32(max(np.abs(weight).max(), 1e-6) / 127)
        whole = np.round(weight / scale).astype(np.int8)
        return self.constant(whole), self.constant(scale)

    def linear(self, x, layer):
        whole, scale = self.quantised(layer.weight.T)
        weight = self.op("DequantizeLinear", [whole, scale])
        return self.op("Add", [self.op("MatMul", [x, weight]), self.constant(layer.bias.detach().numpy())])

    def norm(self, x, layer):
        weights = [self.constant(part.detach().numpy()) for part in (layer.weight, layer.bias)]
        return self.op("LayerNormalization", [x, *weights], axis=-1, epsilon=1e-5)

    def look_up(self, table, indices):
        whole, scale = self.quantised(table.weight)
        picked = self.op("Cast", [self.op("Gather", [whole, indices])], to=TensorProto.FLOAT)
        return self.op("Mul", [picked, scale])


def export(model, path):
    g = Graph()
    width = model.head.in_features
    size = width // HEADS
    shape = lambda *values: g.constant(np.array(values, dtype=np.int64))
    number = lambda value: g.constant(np.float32(value))
    length = g.op("Gather", [g.op("Shape", ["input_ids"]), g.constant(np.int64(1))])
    places = g.op("Range", [g.constant(np.int64(0)), length, g.constant(np.int64(1))])
    x = g.op("Add", [g.look_up(model.words, "input_ids"), g.look_up(model.sides, "token_type_ids")])
    x = g.norm(g.op("Add", [x, g.look_up(model.places, places)]), model.norm)
    attention = g.op("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    hidden = g.op("Mul", [g.op("Sub", [number(1), attention]), number(-1e4)])
    mask = g.op("Unsqueeze", [hidden, shape(1, 2)])
    for layer in model.layers:
        parts = g.op("Reshape", [g.linear(x, layer.qkv), shape(0, 0, 3, HEADS, size)])
        parts = g.op("Transpose", [parts], perm=[2, 0, 3, 1, 4])
        query, key, value = (g.op("Gather", [parts, g.constant(np.int64(i))], axis=0) for i in range(3))
        key = g.op("Transpose", [key], perm=[0, 1, 3, 2])
        scores = g.op("Mul", [g.op("MatMul", [query, key]), number(size**-0.5)])
        scores = g.op("Softmax", [g.op("Add", [scores, mask])], axis=-1)
        seen = g.op("Transpose", [g.op("MatMul", [scores, value])], perm=[0, 2, 1, 3])
        seen = g.op("Reshape", [seen, shape(0, 0, width)])
        x = g.norm(g.op("Add", [x, g.linear(seen, layer.out)]), layer.first)
        up = g.linear(x, layer.up)
        half = g.op("Mul", [up, number(0.5)])
        bend = g.op("Add", [g.op("Erf", [g.op("Mul", [up, number(2**-0.5)])]), number(1)])
        x = g.norm(g.op("Add", [x, g.linear(g.op("Mul", [half, bend]), layer.down)]), layer.second)
    head = g.linear(g.op("Gather", [x, g.constant(np.int64(0))], axis=1), model.head)
    g.nodes.append(helper.make_node("Identity", [head], ["logits"]))
    names = ["input_ids", "attention_mask", "token_type_ids"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in names]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(LABELS)])]
    graph = helper.make_graph(g.nodes, "cross_encoder", inputs, outputs, g.weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(made)
    onnx.save(made, path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("train", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=2500)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--vocabulary", type=int, default=4096)
    options = parser.parse_args()
    torch.manual_seed(7)
    torch.set_num_threads(1)
    data = rows(options.train)
    tokenizer = tokenizer_of((text for row in data for text in row[:2]), options.vocabulary)
    order = np.random.default_rng(3).permutation(len(data))
    held, learnt = [data[i] for i in order[:1000]], [data[i] for i in order[1000:]]
    model = Encoder(tokenizer.get_vocab_size(), options.width, options.layers)
    train(model, tokenizer, learnt, options.steps)
    model.eval()
    with torch.no_grad():
        said = torch.cat([model(*tensors([tokenizer.encode(*row[:2])])) for row in held]).argmax(-1).numpy()
    truth = np.array([row[2] for row in held])
    right = np.where(truth == 3, said != 0, said == truth).mean()
    print(f"held-out accuracy on {len(held)} rows: {right:.3f}")
    options.out.mkdir(parents=True, exist_ok=True)
    export(model, options.out / "model.onnx")
    tokenizer.no_truncation()
    tokenizer.save(str(options.out / "tokenizer.json"), pretty=False)
    with torch.no_grad():
        said = model(*tensors([tokenizer.encode(*EXAMPLE)])).softmax(-1)[0].tolist()
    card = {
        "name": f"cross-encoder {options.layers} x {options.width}, trained by training/cross_encoder.py",
        "model": "model.onnx",
        "tokenizer": "tokenizer.json",
        "labels": LABELS,
        "longest": LONGEST,
        "licence": "CC BY-SA 4.0 (trained on FEVER, MultiNLI, SNLI, SciTail, RTE)",
        "figures": {"held_out_accuracy": round(float(right), 3), "held_out_rows": len(held), "steps": options.steps},
        "weight": 0.1,
        "example": {"premise": EXAMPLE[0], "hypothesis": EXAMPLE[1], "probabilities": [round(one, 4) for one in said]},
    }
    (options.out / "card.json").write_text(json.dumps(card, indent=2) + "\n")


if __name__ == "__main__":
    main()
