import type { Publication } from './publication';

/** The filter of a cached list. */
export interface Scope {
  account?: string | undefined;
  /** Scheduled time; `to` is exclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Adds and replaces changed publications, and removes those that no longer match the scope. */
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
