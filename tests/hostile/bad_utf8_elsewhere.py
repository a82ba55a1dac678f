"""Answers with a field nobody reads that is no UTF-8: the line is none. Expected: bad_json."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        sys.stdout.buffer.write(b'{"action": "%s", "mood": "\xff"}\n' % message["legal"][0].encode())
        sys.stdout.buffer.flush()
