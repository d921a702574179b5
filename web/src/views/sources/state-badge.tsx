import { Badge, type Tone } from '../../design/badge';
import type { ConditionState } from './source';

const TONES: Record<ConditionState, Tone> = {
  ok: 'good',
  failing: 'bad',
  waiting: 'warning',
  paused: 'plain',
  gone: 'bad',
};

export function StateBadge({ state }: { state: ConditionState }) {
  return <Badge tone={TONES[state]}>{state}</Badge>;
}
