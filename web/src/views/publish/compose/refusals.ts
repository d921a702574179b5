import { Problem } from '../../../api/problem';

type ContentField = 'text' | 'mediaUrls' | 'link' | 'title';

export interface Refusals {
  ofAccount: (id: string) => string[];
  /** All errors of a field, over all accounts. */
  ofField: (field: ContentField | 'localTime' | 'timezone' | 'expiresAt') => string | undefined;
}

const OF_ACCOUNT = /^accounts\.(\d+)\.content\.(\w+)/;
const ACCOUNT = /^accountIds\.(\d+)/;
/** Removed from messages, because the form shows them beside the account. */
const WHOSE = / \(account \d+, .*\)$/;
const PLACED = /^(accounts|accountIds)\.\d+|^content\.(text|mediaUrls|link|title)|^(localTime|timezone|expiresAt)$/;

export const isPlaced = (path: string) => PLACED.test(path);

/** Assigns the server's errors to fields and accounts. The server names accounts by their position in the request. */
export function refusalsIn(error: Error | null, accountIds: string[]): Refusals {
  const located =
    error instanceof Problem
      ? error.fields.map(({ path, message }) => ({ ...placeOf(path), message: message.replace(WHOSE, '') }))
      : [];
  return {
    ofAccount: (id) =>
      located.filter(({ at }) => at !== undefined && accountIds[at] === id).map(({ message }) => message),
    ofField: (field) => {
      const messages = new Set(located.filter((one) => one.field === field).map(({ message }) => message));
      return messages.size ? [...messages].join(' · ') : undefined;
    },
  };
}

function placeOf(path: string): { at?: number; field?: string | undefined } {
  const account = OF_ACCOUNT.exec(path);
  if (account) return { at: Number(account[1]), field: account[2] };
  const broken = ACCOUNT.exec(path);
  if (broken) return { at: Number(broken[1]) };
  return { field: path.replace(/^content\./, '').split('.')[0] };
}
