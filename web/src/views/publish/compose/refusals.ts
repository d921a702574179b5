import { Problem } from '../../../api/problem';

type ContentField = 'text' | 'mediaUrls' | 'link' | 'title';

export interface Refusals {
  /** By the account's id. */
  ofAccount: (id: string) => string[];
  /** Everything that is wrong with a field, whoever refuses it. */
  ofField: (field: ContentField | 'localTime' | 'timezone' | 'expiresAt') => string | undefined;
}

const OF_ACCOUNT = /^accounts\.(\d+)\.content\.(\w+)/;
const ACCOUNT = /^accountIds\.(\d+)/;
/** The form shows it by the account. */
const WHOSE = / \(account \d+, .*\)$/;
const PLACED = /^(accounts|accountIds)\.\d+|^content\.(text|mediaUrls|link|title)|^(localTime|timezone|expiresAt)$/;

export const isPlaced = (path: string) => PLACED.test(path);

/** Where what the server refused belongs in the form. Accounts are told by their place in the request. */
export function refusalsIn(error: Error | null, accountIds: string[]): Refusals {
  const told =
    error instanceof Problem
      ? error.fields.map(({ path, message }) => ({ ...placeOf(path), message: message.replace(WHOSE, '') }))
      : [];
  return {
    ofAccount: (id) => told.filter(({ at }) => at !== undefined && accountIds[at] === id).map(({ message }) => message),
    ofField: (field) => {
      const messages = new Set(told.filter((one) => one.field === field).map(({ message }) => message));
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
