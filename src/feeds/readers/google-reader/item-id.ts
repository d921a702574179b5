const PREFIX = 'tag:google.com,2005:reader/item/';
const HEX_DIGITS = 16;
const MAX_ID = 2n ** 53n;

/** The long form of an id. Lists of ids have decimal numbers instead. */
export const longId = (itemId: string) => PREFIX + BigInt(itemId).toString(16).padStart(HEX_DIGITS, '0');

/**
 * Reads the forms that clients send: long, long without leading zeros, 16 hexadecimal digits, and decimal, which is
 * negative for numbers above 2^63. Returns undefined for what cannot be an id of ours.
 */
export function parseItemId(text: string): string | undefined {
  const short = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const isHex = short !== text || short.length === HEX_DIGITS;
  if (isHex ? !/^[\da-f]{1,16}$/i.test(short) : !/^-?\d{1,19}$/.test(short)) return undefined;
  const id = isHex ? BigInt(`0x${short}`) : BigInt(short);
  return id > 0n && id < MAX_ID ? String(id) : undefined;
}
