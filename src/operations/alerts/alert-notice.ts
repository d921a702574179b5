import { randomUUID } from 'node:crypto';
import type { FoundAlert } from '../../platform/health/health-sections.js';

/** What the webhook is told. */
export interface AlertNotice {
  type: 'alert';
  event: 'raised' | 'cleared';
  /** The same in every repeat. */
  id: string;
  code: string;
  /** What tells several alerts of one code apart, such as a queue. */
  subject: string | null;
  severity: FoundAlert['severity'];
  message: string;
  since: string;
  clearedAt?: string;
  /** Where there is more to see. */
  link: string | null;
  /** The address of this Millrace, if it was told. */
  source: string | null;
}

interface About {
  since: Date;
  /** It is over then. */
  clearedAt?: Date | undefined;
  publicUrl: string | undefined;
}

export function noticeOf(alert: FoundAlert, { since, clearedAt, publicUrl }: About): AlertNotice {
  const { code, subject = null, severity, message, link } = alert;
  return {
    type: 'alert',
    event: clearedAt ? 'cleared' : 'raised',
    id: randomUUID(),
    code,
    subject,
    severity,
    message,
    since: since.toISOString(),
    ...(clearedAt && { clearedAt: clearedAt.toISOString() }),
    link: link && publicUrl ? new URL(link, publicUrl).href : link,
    source: publicUrl ?? null,
  };
}
