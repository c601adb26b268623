#!/bin/sh
[ "$(wc -l < "$INPUT_PATH")" -ge "$INPUT_LEAST" ]
