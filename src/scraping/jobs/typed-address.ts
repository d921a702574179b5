import { parseWebAddress } from '../../platform/http/web-address.js';

const MAX_LENGTH = 2_000;
const HOST = /^(?:[^\s/?#:@]+\.[^\s/?#:@]+|\[[\da-f:.]+\]|localhost)(?::\d{1,5})?(?:[/?#]|$)/i;

/**
 * Returns the web address that a user typed, and a second one if it has no scheme. Returns nothing if it is not an
 * address.
 */
export function typedAddresses(text: string): URL[] {
  const typed = text.trim();
  if (typed.length > MAX_LENGTH) return [];
  const spelled = /^https?:\/\//i.test(typed)
    ? [typed]
    : HOST.test(typed)
      ? [`https://${typed}`, `http://${typed}`]
      : [];
  return spelled.flatMap((one) => parseWebAddress(one)?.url ?? []);
}
