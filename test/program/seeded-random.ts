/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seed is printed, so that a failed run can be repeated with `TEST_SEED`. */
export function printedSeed(): number {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
  process.stdout.write(`TEST_SEED=${seed}\n`);
  return seed;
}
