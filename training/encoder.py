"""A BERT-like encoder with a head of three labels: as a torch module, from a base checkpoint, and as an int8 ONNX graph."""

import json

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

LABELS = 3


class Layer(torch.nn.Module):
    def __init__(self, width, inner, heads, epsilon, dropout):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)
        self.up = torch.nn.Linear(width, inner)
        self.down = torch.nn.Linear(inner, width)
        self.first = torch.nn.LayerNorm(width, eps=epsilon)
        self.second = torch.nn.LayerNorm(width, eps=epsilon)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x, mask):
        batch, length, width = x.shape
        parts = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        seen = torch.nn.functional.scaled_dot_product_attention(parts[0], parts[1], parts[2], attn_mask=mask)
        seen = seen.transpose(1, 2).reshape(batch, length, width)
        x = self.first(x + self.dropout(self.out(seen)))
        return self.second(x + self.dropout(self.down(torch.nn.functional.gelu(self.up(x)))))


class Encoder(torch.nn.Module):
    """Words, places and sides embedded, layers, and a head over the first token beside the mean of all."""

    def __init__(self, vocabulary, width, inner, layers, heads, places, epsilon=1e-5, dropout=0.0):
        super().__init__()
        self.shape = (vocabulary, width, inner, layers, heads, places, epsilon)
        self.words = torch.nn.Embedding(vocabulary, width)
        self.places = torch.nn.Embedding(places, width)
        self.sides = torch.nn.Embedding(2, width)
        self.norm = torch.nn.LayerNorm(width, eps=epsilon)
        self.layers = torch.nn.ModuleList([Layer(width, inner, heads, epsilon, dropout) for _ in range(layers)])
        self.head = torch.nn.Linear(2 * width, LABELS)

    def forward(self, ids, attention, sides):
        x = self.words(ids) + self.places.weight[: ids.shape[1]] + self.sides(sides)
        x = self.norm(x)
        seen = attention[..., None].to(x.dtype)
        mask = ((1.0 - attention.to(x.dtype)) * -1e4)[:, None, None, :]
        for layer in self.layers:
            # Under autocast the mask has to be of the type of the products.
            x = layer(x, mask.to(torch.get_autocast_dtype("cpu")) if torch.is_autocast_enabled("cpu") else mask)
        mean = (x * seen).sum(1) / seen.sum(1)
        return self.head(torch.cat([x[:, 0], mean], -1))


def from_base(folder, dropout):
    """The encoder of a checkpoint of the `BertModel` kind: `config.json` and `model.safetensors`."""
    from safetensors.torch import load_file

    said = json.loads((folder / "config.json").read_text())
    model = Encoder(
        said["vocab_size"], said["hidden_size"], said["intermediate_size"], said["num_hidden_layers"],
        said["num_attention_heads"], said["max_position_embeddings"], said["layer_norm_eps"], dropout,
    )
    theirs = load_file(folder / "model.safetensors")
    theirs = {name.removeprefix("bert."): value for name, value in theirs.items()}
    state = {
        "words.weight": theirs["embeddings.word_embeddings.weight"],
        "places.weight": theirs["embeddings.position_embeddings.weight"],
        "sides.weight": theirs["embeddings.token_type_embeddings.weight"],
        "norm.weight": theirs["embeddings.LayerNorm.weight"],
        "norm.bias": theirs["embeddings.LayerNorm.bias"],
        "head.weight": model.head.weight.data,
        "head.bias": model.head.bias.data,
    }
    names = {
        "out": "attention.output.dense", "first": "attention.output.LayerNorm", "up": "intermediate.dense",
        "down": "output.dense", "second": "output.LayerNorm",
    }
    for n in range(said["num_hidden_layers"]):
        for part in ("weight", "bias"):
            selves = [theirs[f"encoder.layer.{n}.attention.self.{one}.{part}"] for one in ("query", "key", "value")]
            state[f"layers.{n}.qkv.{part}"] = torch.cat(selves)
            for ours, name in names.items():
                state[f"layers.{n}.{ours}.{part}"] = theirs[f"encoder.layer.{n}.{name}.{part}"]
    model.load_state_dict(state)
    return model


def from_export(path, dropout):
    """The encoder that `export` wrote, as near as whole numbers are to the weights they were made of."""
    graph = onnx.load(path).graph
    found = [numpy_helper.to_array(one) for one in graph.initializer]
    heads = next(int(one[3]) for one in found if one.dtype == np.int64 and one.size == 5)
    epsilon = next(part.f for node in graph.node if node.op_type == "LayerNormalization" for part in node.attribute if part.name == "epsilon")
    found = iter([one for one in found if one.ndim > 0 and one.dtype in (np.int8, np.float32)])
    table = lambda: next(found).astype(np.float32) * next(found)
    linear = lambda name: {f"{name}.weight": table().T, f"{name}.bias": next(found)}
    norm = lambda name: {f"{name}.weight": next(found), f"{name}.bias": next(found)}
    # In the order in which `export` asks for them.
    state = {"words.weight": table(), "sides.weight": table(), "places.weight": table(), **norm("norm")}
    layers = 0
    while (whole := next(found)).dtype == np.int8:
        name = f"layers.{layers}"
        state |= {f"{name}.qkv.weight": (whole.astype(np.float32) * next(found)).T, f"{name}.qkv.bias": next(found)}
        state |= linear(f"{name}.out") | norm(f"{name}.first")
        state |= linear(f"{name}.up") | linear(f"{name}.down") | norm(f"{name}.second")
        layers += 1
    state |= {"head.weight": whole.T, "head.bias": next(found)}
    vocabulary, width = state["words.weight"].shape
    inner, places = len(state["layers.0.up.bias"]), len(state["places.weight"])
    model = Encoder(vocabulary, width, inner, layers, heads, places, epsilon, dropout)
    model.load_state_dict({name: torch.tensor(np.ascontiguousarray(value)) for name, value in state.items()})
    return model


class Graph:
    """The few ONNX operators that the encoder needs, its weights as int8, its products of whole numbers."""

    def __init__(self):
        self.nodes, self.weights, self.count = [], [], 0

    def op(self, kind, inputs, outputs=1, **attributes):
        names = [f"t{self.count + n}" for n in range(outputs)]
        self.count += outputs
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, value):
        self.count += 1
        name = f"c{self.count}"
        self.weights.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def rounded(self, x):
        """An activation as whole numbers with one scale, as (numbers, scale, zero)."""
        return self.op("DynamicQuantizeLinear", [x], outputs=3)

    def linear(self, whole, layer):
        """A product with weights that have a scale for each output."""
        numbers, scale, zero = whole
        weight = layer.weight.detach().float().numpy().T
        scales = np.maximum(np.abs(weight).max(0), 1e-6).astype(np.float32) / 127
        quantised = np.round(weight / scales).astype(np.int8)
        # With its own zero named, runtimes take product, cast and scale for one operator.
        product = self.op("MatMulInteger", [numbers, self.constant(quantised), zero, self.constant(np.int8(0))])
        product = self.op("Cast", [product], to=TensorProto.FLOAT)
        product = self.op("Mul", [product, self.op("Mul", [scale, self.constant(scales)])])
        return self.op("Add", [product, self.constant(layer.bias.detach().float().numpy())])

    def norm(self, x, layer):
        weights = [self.constant(part.detach().float().numpy()) for part in (layer.weight, layer.bias)]
        return self.op("LayerNormalization", [x, *weights], axis=-1, epsilon=layer.eps)

    def look_up(self, table, indices):
        """Rows of a table, each with a scale of its own."""
        rows = table.weight.detach().float().numpy()
        scales = np.maximum(np.abs(rows).max(1, keepdims=True), 1e-6).astype(np.float32) / 127
        whole = self.constant(np.round(rows / scales).astype(np.int8))
        picked = self.op("Cast", [self.op("Gather", [whole, indices])], to=TensorProto.FLOAT)
        return self.op("Mul", [picked, self.op("Gather", [self.constant(scales), indices])])


def export(model, path):
    """Writes the encoder as ONNX with the inputs `input_ids`, `attention_mask` and `token_type_ids`."""
    g = Graph()
    width = model.words.embedding_dim
    heads = model.shape[4]
    size = width // heads
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
        parts = g.op("Reshape", [g.linear(g.rounded(x), layer.qkv), shape(0, 0, 3, heads, size)])
        parts = g.op("Transpose", [parts], perm=[2, 0, 3, 1, 4])
        query, key, value = (g.op("Gather", [parts, g.constant(np.int64(i))], axis=0) for i in range(3))
        key = g.op("Transpose", [key], perm=[0, 1, 3, 2])
        scores = g.op("Mul", [g.op("MatMul", [query, key]), number(size**-0.5)])
        scores = g.op("Softmax", [g.op("Add", [scores, mask])], axis=-1)
        seen = g.op("Transpose", [g.op("MatMul", [scores, value])], perm=[0, 2, 1, 3])
        seen = g.op("Reshape", [seen, shape(0, 0, width)])
        x = g.norm(g.op("Add", [x, g.linear(g.rounded(seen), layer.out)]), layer.first)
        up = g.linear(g.rounded(x), layer.up)
        half = g.op("Mul", [up, number(0.5)])
        bend = g.op("Add", [g.op("Erf", [g.op("Mul", [up, number(2**-0.5)])]), number(1)])
        x = g.norm(g.op("Add", [x, g.linear(g.rounded(g.op("Mul", [half, bend])), layer.down)]), layer.second)
    counted = g.op("Unsqueeze", [attention, shape(2)])
    total = g.op("ReduceSum", [g.op("Mul", [x, counted]), shape(1)], keepdims=0)
    mean = g.op("Div", [total, g.op("ReduceSum", [attention, shape(1)], keepdims=1)])
    both = g.op("Concat", [g.op("Gather", [x, g.constant(np.int64(0))], axis=1), mean], axis=-1)
    weight, bias = (g.constant(part.detach().float().numpy()) for part in (model.head.weight.T, model.head.bias))
    g.nodes.append(helper.make_node("Add", [g.op("MatMul", [both, weight]), bias], ["logits"]))
    names = ["input_ids", "attention_mask", "token_type_ids"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in names]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", LABELS])]
    graph = helper.make_graph(g.nodes, "cross_encoder", inputs, outputs, g.weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(made)
    onnx.save(made, path)
