import type { ReactNode } from 'react';

export type Tone = 'plain' | 'good' | 'warning' | 'bad' | 'busy';

/** The colour only repeats what the text says. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
