#!/bin/sh
# Keeps what it was asked, says yes to the one claim, and that a part of the other is missing.
question=$(cat)
printf '%s\n' "$question" >> asked.jsonl
case $question in
*institute.example*) echo '{"verdict": "partly", "confidence": 0.9, "quotation": "", "missing": "61%\u001b[31m"}' ;;
*) echo '{"verdict": "supported", "confidence": 0.9, "quotation": "the units still gave 2.1 kWh of heat"}' ;;
esac
