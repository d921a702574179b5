import type { ReactNode } from 'react';

export type Tone = 'plain' | 'good' | 'warning' | 'bad' | 'busy';

/** A state in a word; the colour only repeats it. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
