#!/bin/sh
# Keeps what it was asked and says yes.
cat >> asked.jsonl; echo >> asked.jsonl
echo '{"verdict": "supported", "confidence": 0.9, "quotation": "the units still gave 2.1 kWh of heat"}'
