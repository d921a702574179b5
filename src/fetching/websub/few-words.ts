import { redactText } from '../../platform/redact.js';
import type { Subscription } from './subscriptions.table.js';

/** Characters of a hub's words that are shown. */
const MAX_LENGTH = 200;
/** Characters of a hub's words that are read. */
const MAX_READ = 2_000;

/** A hub's words on one line, short enough to be shown. A hub may repeat what it was sent, so its secrets are redacted. */
export function fewWords(text: string, { secret, token }: Pick<Subscription, 'secret' | 'token'>): string {
  const hidden = text.slice(0, MAX_READ).replaceAll(secret, '***').replaceAll(token, '***');
  return redactText(hidden.toWellFormed())
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
    .toWellFormed();
}
