"""Answers well with every letter of the action escaped. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        escaped = "".join(f"\\u{ord(letter):04x}" for letter in message["legal"][0])
        print(f'{{"action": "{escaped}"}}', flush=True)
