const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** The server speaks of times in UTC; readers think in their own zone. */
export function inOwnZone(sentence: string, timeZone?: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', ...(timeZone && { timeZone }) } as const;
  return sentence.replace(INSTANT, (at) => new Date(at).toLocaleString(undefined, format));
}
