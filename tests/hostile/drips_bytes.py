"""Writes a byte of an answer each 100 ms, which takes a quarter of an hour. Expected: timeout."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        for byte in json.dumps({"action": message["legal"][0], "note": "x" * 9000}) + "\n":
            print(byte, end="", flush=True)
            time.sleep(0.1)
