const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Replaces UTC times in sentences from the server with local ones. */
export function toLocalTimes(sentence: string, timeZone?: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', ...(timeZone && { timeZone }) } as const;
  return sentence.replace(INSTANT, (at) => new Date(at).toLocaleString(undefined, format));
}
