import { z } from 'zod';
import { canParseUrl } from '../../platform/can-parse-url.js';

const MAX_LENGTH = 2_000;

/** The query stays unchanged, because its order may matter to the server. */
export const FeedAddress = z
  .string()
  .trim()
  .max(MAX_LENGTH)
  .transform((text, context) => {
    const address = oneSpelling(text);
    if (address && address.length <= MAX_LENGTH) return address;
    context.addIssue({ code: 'custom', message: 'Must be the http or https address of a feed' });
    return z.NEVER;
  });

/** Also accepts `feed://a.example/x` and `feed:https://a.example/x`, which browsers used to pass to feed readers. */
function oneSpelling(text: string): string | undefined {
  const address = text.replace(/^feed:\/\//i, 'http://').replace(/^feed:/i, '');
  if (!/^https?:\/\//i.test(address) || !canParseUrl(address)) return undefined;
  const url = new URL(address);
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  if (!url.hostname) return undefined;
  // Setting an empty query or fragment leaves its `?` or `#` in the URL.
  return url.href.replace(/[?#]$/, '').replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toUpperCase());
}
