import { z } from 'zod';

const MAX_LENGTH = 64;

/** What people type into reading apps. Basic authentication and Fever separate it from the password by a colon. */
export const UserName = z
  .string()
  .regex(/^[\w.@+-]{1,64}$/, `up to ${MAX_LENGTH} letters, digits and any of _ . @ + -`);

interface Named {
  id: string;
  name: string | null;
  externalId: string | null;
}

/** Names for a user without one, in the order of preference. All but the last one may be taken. */
export function userNamesFor({ id, name, externalId }: Named): string[] {
  const given = [name, externalId].flatMap((text) => (text ? [fitting(text)] : [])).filter(Boolean);
  return [...given, ...given.map((text) => `${text.slice(0, MAX_LENGTH - id.length - 1)}-${id}`), `user-${id}`];
}

const fitting = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^\w.@+\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-')
    .toLowerCase()
    .slice(0, MAX_LENGTH);
