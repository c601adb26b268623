"""Holds an entailment model behind `cited --judge`: loads it once, and answers every question that is posted to it.

    python3 entailment.py MODEL [PORT]
    cited verify DRAFT.md --judge 'curl -sf --data-binary @- http://127.0.0.1:8790'

MODEL is a cross-encoder for natural language inference, a name or a folder, as `transformers` loads it. The limits below are a
start: measure them on claims of your own with known answers (`cited judge -`).
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from transformers import pipeline

SUPPORTED, CONTRADICTED, DOUBTED = 0.9, 0.95, 0.2

model = pipeline("text-classification", model=sys.argv[1])


def judge(question):
    # Windows of three sentences, since a long text drowns a short one.
    sentences = [part for part in re.split(r"(?<=[.!?])\s+|\n+", question["page"]) if part]
    texts = [" ".join(sentences[at : at + 3]) for at in range(max(1, len(sentences) - 2))]
    return {"answers": [answer(claim, texts) for claim in question["claims"]]}


def answer(claim, texts):
    pairs = [{"text": text, "text_pair": claim["text"]} for text in texts]
    scores = [
        {label["label"].lower(): label["score"] for label in labels}
        for labels in model(pairs, top_k=None, truncation="only_first")
    ]
    entails, at = max((score["entailment"], at) for at, score in enumerate(scores))
    against, other = max((score.get("contradiction", 0.0), at) for at, score in enumerate(scores))
    if entails >= SUPPORTED:
        return {"id": claim["id"], "verdict": "supported", "quotation": texts[at], "confidence": entails}
    if against >= CONTRADICTED and entails <= DOUBTED:
        return {"id": claim["id"], "verdict": "contradicted", "quotation": texts[other], "confidence": against}
    return {"id": claim["id"], "verdict": "partly" if entails >= 0.5 else "not_in_source", "confidence": 1 - entails}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps(judge(question)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


server = HTTPServer(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 8790), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
