import type { Author } from '../../posts/post.js';
import { plainText } from './text/plain-text.js';

export interface Person {
  name?: string | undefined;
  email?: string | undefined;
  link?: string | undefined;
  avatarUrl?: string | undefined;
}

const MAX_LINE_LENGTH = 300;

export function authorOf(people: Person[] | undefined): Author | undefined {
  const authors = (people ?? []).map(toAuthor).filter((author) => author !== undefined);
  const [first] = authors;
  if (!first || authors.length === 1) return first;
  const displayNames = new Set(authors.map(({ displayName }) => displayName));
  return { ...first, displayName: [...displayNames].join(', ') };
}

/** The line has a name, an email address or both: `a@b.example (Ann)`, `Ann <a@b.example>`. */
export function personFromLine(text: string): Person {
  const line = text.slice(0, MAX_LINE_LENGTH);
  const [email] = /[^\s<>()[\]"]+@[^\s<>()[\]"]+/.exec(line) ?? [];
  if (!email) return { name: line };
  const name = line
    .replace(email, ' ')
    .replace(/mailto:|[()<>[\]"]/gi, ' ')
    .trim();
  return { name: name || undefined, email };
}

function toAuthor({ name, email, link, avatarUrl }: Person): Author | undefined {
  const plainName = name && plainText(name);
  const displayName = plainName || email || link;
  if (!displayName) return undefined;
  return { username: email || link || displayName, displayName, ...(avatarUrl && { avatarUrl }) };
}
