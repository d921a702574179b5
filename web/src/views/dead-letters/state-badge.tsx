import { Badge, type Tone } from '../../design/badge';
import type { DeadLetter } from './use-dead-letters';

const TONES: Record<DeadLetter['state'], Tone> = { open: 'bad', replayed: 'good', discarded: 'plain' };

export function StateBadge({ state }: { state: DeadLetter['state'] }) {
  return <Badge tone={TONES[state]}>{state}</Badge>;
}
