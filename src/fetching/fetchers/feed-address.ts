import { z } from 'zod';
import { canParseUrl } from '../../platform/can-parse-url.js';

const MAX_LENGTH = 2_000;

/** A feed's address in the one spelling that stands for it. The query stays as it is: its order may matter to the server. */
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

/** `feed://a.example/x` and `feed:https://a.example/x` are what browsers once handed to feed readers. */
function oneSpelling(text: string): string | undefined {
  const address = text.replace(/^feed:\/\//i, 'http://').replace(/^feed:/i, '');
  if (!/^https?:\/\//i.test(address) || !canParseUrl(address)) return undefined;
  const url = new URL(address);
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  if (!url.hostname) return undefined;
  // An empty query or fragment leaves its mark behind in an address.
  return url.href.replace(/[?#]$/, '').replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toUpperCase());
}
