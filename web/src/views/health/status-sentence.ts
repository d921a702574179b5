import { countOf } from '../../design/count-of';
import type { Health } from './use-health';

/** The state of everything in a sentence. */
export function statusSentence({ status, alerts }: Pick<Health, 'status' | 'alerts'>): string {
  if (status === 'healthy') return 'Everything that should run does.';
  const urgent = alerts.filter(({ severity }) => severity === 'critical').length;
  const wants = `${countOf(alerts.length, 'thing')} ${alerts.length === 1 ? 'wants' : 'want'} attention`;
  if (!urgent) return `${wants}; work goes on.`;
  if (urgent === alerts.length) return `${wants} at once.`;
  return `${wants}, ${urgent} of them at once.`;
}
