"""Opens stdout with a byte order mark, as some languages do. Expected: startup."""

import json
import sys

sys.stdout.reconfigure(encoding="utf-8")

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('\ufeff{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
