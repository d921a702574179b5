import { countOf } from '../../design/count-of';

export type Act = 'replay' | 'discard';

export interface Closed {
  act: Act;
  done: number;
  refused: { id: string; why: string }[];
}

const PAST: Record<Act, string> = { replay: 'replayed', discard: 'discarded' };

/** "3 dead letters were replayed, 1 was refused." */
export function closedText({ act, done, refused }: Closed): string {
  const verb = (many: number) => (many === 1 ? 'was' : 'were');
  const sentence = `${countOf(done, 'dead letter')} ${verb(done)} ${PAST[act]}`;
  if (!refused.length) return done ? `${sentence}.` : `No dead letters were left to be ${PAST[act]}.`;
  const refusals = `${refused.length.toLocaleString('en')} ${verb(refused.length)} refused`;
  return done
    ? `${sentence}, ${refusals}.`
    : `${countOf(refused.length, 'dead letter')} ${verb(refused.length)} refused.`;
}

export function byReason(refused: Closed['refused']): [why: string, ids: string[]][] {
  const groups = new Map<string, string[]>();
  for (const { id, why } of refused) groups.set(why, [...(groups.get(why) ?? []), id]);
  return [...groups];
}
