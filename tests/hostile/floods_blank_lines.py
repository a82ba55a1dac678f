"""Prints blank lines for ever when it is asked: they are skipped and stop no clock. Expected: timeout."""

import json
import os
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        while True:
            os.write(1, b" \t\r\n" * 15_000)
