/** As Markdown has it. */
export function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const whole = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 0 });

/** What was calculated from measurements is not exact to the last digit. */
export const about = (number: number) => whole(Number(number.toPrecision(2)));

const NAMES: Record<string, string> = { postgres: 'PostgreSQL', redis: 'Redis' };
export const nameOf = (part: string) => NAMES[part] ?? part;
