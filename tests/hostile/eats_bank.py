"""Sleeps for one and a half of move_ms at every decision until its bank is gone. Expected: timeout."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        time.sleep(message["clock"]["move_ms"] * 1.5 / 1000)
        print(json.dumps({"action": message["legal"][0]}), flush=True)
