import type { Publication } from './publication';

/** Which publications a kept list is of. */
export interface Scope {
  account?: string | undefined;
  /** By when they are scheduled; `to` is not included. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The list with what has just changed: put in, replaced, or taken out where it has moved elsewhere. */
export function mergeChanged(items: Publication[], changed: Publication[], scope: Scope): Publication[] {
  const news = new Map(changed.map((publication) => [publication.id, publication]));
  const kept = items.map((old) => {
    const now = news.get(old.id);
    news.delete(old.id);
    return now ?? old;
  });
  return [...news.values(), ...kept].filter((publication) => fits(publication, scope));
}

function fits({ accountId, scheduledAt }: Publication, { account, from, to }: Scope): boolean {
  const at = Date.parse(scheduledAt);
  if (account !== undefined && account !== accountId) return false;
  return (from === undefined || at >= Date.parse(from)) && (to === undefined || at < Date.parse(to));
}
