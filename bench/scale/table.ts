/** Returns a Markdown table. */
export function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const whole = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 0 });

/** Rounds, because calculated numbers are not exact to the last digit. */
export const about = (number: number) => whole(Number(number.toPrecision(2)));

const NAMES: Record<string, string> = { postgres: 'PostgreSQL', redis: 'Redis' };
export const nameOf = (part: string) => NAMES[part] ?? part;
