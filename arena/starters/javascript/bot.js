// Plays any legal action by chance; choose() is where yours begins to think.
"use strict";

// Mulberry32: numbers from 0 up to, not including, 1. Equal seeds give equal numbers.
function randomFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// All that it may know is in message.observation.
function choose(message, random) {
  return message.legal[Math.floor(random() * message.legal.length)];
}

function say(answer) {
  process.stdout.write(JSON.stringify(answer) + "\n");
}

let random = randomFrom(0);

function hear(message) {
  switch (message.type) {
    case "hello":
      return say({ type: "ready" });
    case "start":
      random = randomFrom(message.seed);
      return;
    case "decide":
      return say({ action: choose(message, random) });
    case "bye":
      process.exit();
  }
}

// A chunk may hold several lines, or a part of one. At the end of stdin node leaves by itself.
let unread = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (unread + chunk).split("\n");
  unread = lines.pop();
  for (const line of lines) if (line.trim()) hear(JSON.parse(line));
});
