import { randomUUID } from 'node:crypto';
import type { FoundAlert } from '../../platform/health/health-sections.js';

/** The body of a request to the alert webhook. */
export interface AlertNotice {
  type: 'alert';
  event: 'raised' | 'cleared';
  /** Equal in every repeat. */
  id: string;
  code: string;
  /** Distinguishes several alerts of one code, such as a queue. */
  subject: string | null;
  severity: FoundAlert['severity'];
  message: string;
  since: string;
  clearedAt?: string;
  /** A page with more information. */
  link: string | null;
  /** The public URL of this Millrace, if it is configured. */
  source: string | null;
}

interface About {
  since: Date;
  /** Set when the alert is over. */
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
