"""Says ready before it has read hello, then plays well. Expected: no fault."""

import json
import sys

print('{"type": "ready"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
