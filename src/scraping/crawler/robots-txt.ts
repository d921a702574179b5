const OUR_NAME = 'millrace';
const MAX_DELAY_S = 10;

interface Rule {
  allows: boolean;
  pattern: string;
}

interface Group {
  agents: string[];
  rules: Rule[];
  delayS: number | undefined;
}

export interface RobotsTxt {
  allows(url: URL): boolean;
  delayMs: number;
  sitemaps: string[];
}

export const ALL_ALLOWED: RobotsTxt = { allows: () => true, delayMs: 0, sitemaps: [] };

/** Implements RFC 9309 with the widespread `Crawl-delay` and `Sitemap`. */
export function parseRobotsTxt(text: string): RobotsTxt {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let isNaming = false;
  for (const { key, value } of linesOf(text)) {
    const group = groups.at(-1);
    if (key === 'user-agent') {
      if (isNaming && group) group.agents.push(agentOf(value));
      else groups.push({ agents: [agentOf(value)], rules: [], delayS: undefined });
      isNaming = true;
    } else if (key === 'allow' || key === 'disallow') {
      isNaming = false;
      if (value) group?.rules.push({ allows: key === 'allow', pattern: normalised(value) });
    } else if (key === 'crawl-delay' && group) group.delayS = secondsOf(value);
    else if (key === 'sitemap') sitemaps.push(value);
  }
  const ours = groupsFor(groups);
  const delayS = Math.max(0, ...ours.map((group) => group.delayS ?? 0));
  return { allows: judge(ours.flatMap(({ rules }) => rules)), delayMs: delayS * 1_000, sitemaps };
}

function linesOf(text: string): { key: string; value: string }[] {
  return text.split(/[\r\n]+/).flatMap((line) => {
    const said = line.split('#', 1)[0] ?? '';
    const colon = said.indexOf(':');
    if (colon === -1) return [];
    const key = said.slice(0, colon).replace('\ufeff', '').trim().toLowerCase();
    return [{ key, value: said.slice(colon + 1).trim() }];
  });
}

/** Some sites write a version after the name, which is ignored. */
const agentOf = (value: string) => (value.startsWith('*') ? '*' : (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() ?? ''));

function secondsOf(value: string): number | undefined {
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
  return seconds && Math.min(seconds, MAX_DELAY_S);
}

/** All groups that name Millrace are combined. Without one, the groups for all crawlers apply. */
function groupsFor(groups: Group[]): Group[] {
  const named = groups.filter(({ agents }) => agents.includes(OUR_NAME));
  return named.length ? named : groups.filter(({ agents }) => agents.includes('*'));
}

/** The longest matching pattern decides. Between equally long ones, the one that allows wins. */
function judge(rules: Rule[]): RobotsTxt['allows'] {
  const byWeight = rules.toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows));
  return ({ pathname, search }) => {
    const path = normalised(pathname + search);
    return path === '/robots.txt' || (byWeight.find(({ pattern }) => fits(path, pattern))?.allows ?? true);
  };
}

/** `*` matches anything, and `$` at the end matches the end. The time is linear for any pattern. */
function fits(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [first = '', ...others] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  const last = isWhole ? others.pop() : undefined;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (!isWhole) return true;
  return last === undefined ? path.length === at : path.length - last.length >= at && path.endsWith(last);
}

function normalised(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(letter) ? letter : code.toUpperCase();
    })
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/** Directives with a value, whose colon would make them look like the name of a crawler. */
const WITH_VALUES = /^(unavailable_after|max-[a-z-]+)$/;

interface RobotsDirectives {
  noFollow: boolean;
  noIndex: boolean;
}

export function robotsDirectives(header: string): RobotsDirectives {
  let isForUs = true;
  const directives = new Set<string>();
  for (const part of header.toLowerCase().split(',')) {
    const [, crawler, directive] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? [];
    const isNamed = crawler !== undefined && !WITH_VALUES.test(crawler);
    if (isNamed) isForUs = crawler === 'millrace' || crawler === 'robots';
    if (isForUs) directives.add((isNamed ? (directive ?? '') : part).trim());
  }
  const asks = (directive: string) => directives.has(directive) || directives.has('none');
  return { noFollow: asks('nofollow'), noIndex: asks('noindex') };
}
