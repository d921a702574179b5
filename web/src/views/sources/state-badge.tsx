import { Badge, type Tone } from '../../design/badge';
import type { SourceState } from './source';

const TONES: Record<SourceState, Tone> = { active: 'good', failing: 'warning', paused: 'plain', gone: 'bad' };

export function StateBadge({ state }: { state: SourceState }) {
  return <Badge tone={TONES[state]}>{state}</Badge>;
}
