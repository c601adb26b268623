#!/bin/sh
# Keeps what it was asked and says yes.
cat >> asked.jsonl; echo >> asked.jsonl
echo '{"verdict": "supported", "confidence": 0.9, "quotation": "still gave heat at low temperatures"}'
