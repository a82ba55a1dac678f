// Plays any game by chance, all legal actions equally likely; equal seeds give equal play.
"use strict";

// Mulberry32: 32 bits of state; numbers from 0 up to, not including, 1.
function randomFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Any legal action, each with the same probability.
function choose(legal, random) {
  return legal[Math.floor(random() * legal.length)];
}

function say(answer) {
  process.stdout.write(JSON.stringify(answer) + "\n");
}

let random = Math.random;

function hear(message) {
  if (message.type === "hello") say({ type: "ready" });
  if (message.type === "start") random = randomFrom(message.seed);
  if (message.type === "decide") say({ action: choose(message.legal, random) });
  if (message.type === "bye") process.exit();
}

// A chunk may hold several lines, or a part of one. At the end of stdin node leaves by itself.
let unread = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (unread + chunk).split("\n");
  unread = lines.pop();
  for (const line of lines) hear(JSON.parse(line));
});
