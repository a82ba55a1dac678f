"""Says ready with a batch of 8 and plays single or in arrays, as asked. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if isinstance(message, list):
        print(json.dumps([{"action": one["legal"][0]} for one in message]), flush=True)
        continue
    if message["type"] == "hello":
        print('{"type": "ready", "batch": 8}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
