import { createHash, randomBytes } from 'node:crypto';

/** Keys and tokens hold 256 random bits, so a plain hash of them cannot be guessed back. */
export const newToken = () => randomBytes(32).toString('base64url');
export const newKey = () => `mr_${newToken()}`;
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** What of a key may be shown: less of one that an operator made up. */
export const prefixOf = (key: string) => key.slice(0, key.startsWith('mr_') ? 10 : 4);
