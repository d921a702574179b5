import { createHmac } from 'node:crypto';

/** Receivers reject old timestamps (seconds since 1970), so that a captured request cannot be replayed. */
export function signatureHeaders(body: string, secret: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-millrace-timestamp': timestamp, 'x-millrace-signature': `sha256=${signature}` };
}
