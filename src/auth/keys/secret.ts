import { createHash, randomBytes } from 'node:crypto';

/** Keys and tokens contain 256 random bits, so a plain hash cannot be reversed by guessing. */
export const newToken = () => randomBytes(32).toString('base64url');
export const newKey = () => `mr_${newToken()}`;
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Returns the part of a key that may be shown. It is shorter for a key that an operator chose. */
export const prefixOf = (key: string) => key.slice(0, key.startsWith('mr_') ? 10 : 4);
