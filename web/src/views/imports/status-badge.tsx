import { Badge, type Tone } from '../../design/badge';
import type { Import } from './use-import';
import type { ImportFeed } from './use-import-parts';

const TONES: Record<Import['status'] | ImportFeed['status'], Tone> = {
  running: 'busy',
  completed: 'good',
  queued: 'plain',
  fetching: 'busy',
  storing: 'busy',
  done: 'good',
  failed: 'bad',
  cancelled: 'plain',
};

export function StatusBadge({ status }: { status: keyof typeof TONES }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}
