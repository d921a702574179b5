import { countOf } from '../../design/count-of';
import type { Health } from './use-health';

export function statusSentence({ status, alerts }: Pick<Health, 'status' | 'alerts'>): string {
  if (status === 'healthy') return 'All systems are running.';
  const urgent = alerts.filter(({ severity }) => severity === 'critical').length;
  const issues = `${countOf(alerts.length, 'issue')} ${alerts.length === 1 ? 'needs' : 'need'} attention`;
  if (!urgent) return `${issues}; jobs keep running.`;
  if (urgent === alerts.length) return `${issues} now.`;
  return `${issues}, ${urgent} of them now.`;
}
