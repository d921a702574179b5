const CODES = { red: 31, green: 32, yellow: 33, grey: 90, bold: 1 } as const;
export type Colour = keyof typeof CODES;

export function coloured(text: string, colour: Colour | undefined, colours: boolean): string {
  return colours && colour ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

const STATES: Record<string, Colour> = {
  active: 'green',
  completed: 'green',
  published: 'green',
  healthy: 'green',
  up: 'green',
  done: 'green',
  ok: 'green',
  failing: 'red',
  failed: 'red',
  critical: 'red',
  broken: 'red',
  down: 'red',
  open: 'red',
  warning: 'yellow',
  partial: 'yellow',
  retried: 'yellow',
  unknown: 'yellow',
  expired: 'yellow',
  waiting: 'yellow',
  paused: 'grey',
  gone: 'grey',
  cancelled: 'grey',
  discarded: 'grey',
  replayed: 'grey',
};

export const colourOf = (state: string): Colour | undefined => STATES[state];
