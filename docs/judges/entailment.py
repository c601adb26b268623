"""Holds an entailment model behind `cited --judge`: loads it once, and answers every question that is posted to it.

    python3 entailment.py MODEL [PORT]
    cited verify DRAFT.md --judge 'curl -sf --data-binary @- http://127.0.0.1:8790'

MODEL is a cross-encoder for natural language inference, a name or a folder, as `transformers` loads it. The limits below are a
start: measure them on claims of your own with known answers (`cited judge -`).
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from transformers import pipeline

SUPPORTED, CONTRADICTED, DOUBTED = 0.9, 0.95, 0.2

model = pipeline("text-classification", model=sys.argv[1])


def judge(question):
    claim, passages = question["claim"], question["passages"]
    # Each passage alone, since a long text drowns a short one, and last all together, since only together they contradict.
    texts = passages + ["\n".join(passages)]
    pairs = [{"text": text, "text_pair": claim} for text in texts]
    scores = [
        {label["label"].lower(): label["score"] for label in labels}
        for labels in model(pairs, top_k=None, truncation="only_first")
    ]
    entails = max(score["entailment"] for score in scores)
    contradicts = scores[-1].get("contradiction", 0.0)
    if entails >= SUPPORTED:
        return {"verdict": "supported", "confidence": entails, "reason": "the model reads it in the source"}
    if contradicts >= CONTRADICTED and entails <= DOUBTED:
        return {"verdict": "contradicted", "confidence": contradicts, "reason": "the model reads the contrary in the source"}
    verdict = "weak" if entails >= 0.5 else "unverifiable"
    return {"verdict": verdict, "confidence": 1 - entails, "reason": "the model does not clearly read it in the source"}


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
