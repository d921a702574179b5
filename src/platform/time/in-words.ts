const UNITS: [number, string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

export function inWords(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= size && seconds % size === 0) ?? [1, 'second'];
  return counted(Math.round(seconds / size), unit);
}

/** As people say it: `5_000` → "83 minutes", `7_000` → "2 hours". */
export function aboutInWords(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= 1.5 * size) ?? [1, 'second'];
  return counted(Math.max(1, Math.round(seconds / size)), unit);
}

const counted = (count: number, unit: string) => (count === 1 ? `1 ${unit}` : `${count} ${unit}s`);
