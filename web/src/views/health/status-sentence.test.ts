import { expect, it } from 'vitest';
import { statusSentence } from './status-sentence';

const alert = (severity: 'warning' | 'critical') => ({
  code: 'queue_backlog',
  severity,
  message: 'Many jobs wait.',
  since: '2026-11-15T18:00:00.000Z',
  subject: null,
  link: null,
});
const critical = alert('critical');
const warning = alert('warning');

it('says that all is well, or how much is not and whether it can wait', () => {
  expect(statusSentence({ status: 'healthy', alerts: [] })).toBe('All systems are running.');
  expect(statusSentence({ status: 'warning', alerts: [warning] })).toBe('1 issue needs attention; jobs keep running.');
  expect(statusSentence({ status: 'critical', alerts: [critical] })).toBe('1 issue needs attention now.');
  expect(statusSentence({ status: 'critical', alerts: [critical, warning, warning] })).toBe(
    '3 issues need attention, 1 of them now.',
  );
});
