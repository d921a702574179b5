const UNITS: [name: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** Formats with the two largest units: "4 s", "3 min 10 s", "2 h 5 min". */
export function duration(seconds: number): string {
  let rest = Math.max(0, Math.round(seconds));
  const first = UNITS.findIndex(([, size]) => rest >= size);
  if (first < 0) return '0 s';
  const words: string[] = [];
  for (const [name, size] of UNITS.slice(first, first + 2)) {
    const times = Math.floor(rest / size);
    rest -= times * size;
    if (times) words.push(`${times} ${name}`);
  }
  return words.join(' ');
}
