import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretKey } from './secret-keys.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export class UnknownKey extends Error {
  override readonly name = 'UnknownKey';
}

/** `purpose` is authenticated data: the text decrypts only with the same purpose. */
export function encrypt(value: unknown, [key]: SecretKey[], purpose: string): string {
  if (!key) throw new Error('there is no key to encrypt with');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, iv).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
  return `${key.id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

export function decrypt(text: string, keys: SecretKey[], purpose: string): unknown {
  const [id, sealed = ''] = text.split('.');
  const key = keys.find((one) => one.id === id);
  if (!key) throw new UnknownKey('its credentials were encrypted with a key that is not among MILLRACE_SECRET_KEYS');
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(plain.toString());
}

export const isCurrent = (text: string, [key]: SecretKey[]) => key !== undefined && text.startsWith(`${key.id}.`);
