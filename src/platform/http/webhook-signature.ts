import { createHmac } from 'node:crypto';

/**
 * A receiver computes the same from what it got, compares in constant time, and takes nothing whose timestamp (seconds
 * since 1970) is older than some minutes: who has listened in cannot send it again later.
 */
export function signatureHeaders(body: string, secret: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-millrace-timestamp': timestamp, 'x-millrace-signature': `sha256=${signature}` };
}
