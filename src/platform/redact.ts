const MASK = '***';

/** Matches URLs, also with escaped slashes as some JSON writers produce them, and paths with a query. */
const ADDRESS = /[a-z][a-z\d+.-]{0,20}:\\{0,2}\/\\{0,2}\/[^\s"<>\\]+|(?<![\w.~%/-])\/[^\s"<>\\?]{0,300}\?[^\s"<>\\]+/gi;
const SCHEME_AND_AUTHORITY = /^([a-z][a-z\d+.-]*:\\{0,2}\/\\{0,2}\/)([^/?#\\]*@)?/i;
const AUTHORIZATION = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;
const PUNCTUATION = /[:,.;)\]']*$/;
const SECRET_NAME = /passw|secret|token|authorization|cookie|credential|api[-_]?key|signature/i;

/** Scheme, host, the rest of the path and the names of parameters stay, because operators need them. */
export function redactAddress(address: string): string {
  const [start = '', scheme = '', userinfo] = SCHEME_AND_AUTHORITY.exec(address) ?? [];
  const [, path = '', query = '', fragment = ''] =
    /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address.slice(start.length)) ?? [];
  const shown = [redactPath(path), redactParameters(query), redactFragment(fragment)].join('');
  return `${scheme}${userinfo ? `${MASK}@` : ''}${shown}`;
}

export function redactText(text: string): string {
  if (!/[?]|\/\\{0,2}\/|bearer|basic/i.test(text)) return text;
  return text
    .replace(ADDRESS, (address) => {
      const punctuation = PUNCTUATION.exec(address)?.[0] ?? '';
      return redactAddress(address.slice(0, address.length - punctuation.length)) + punctuation;
    })
    .replace(AUTHORIZATION, `$1 ${MASK}`);
}

export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactField(name, inner)]));
}

function redactField(name: string, value: unknown): unknown {
  const isSecret = SECRET_NAME.test(name) && (typeof value === 'string' || typeof value === 'number');
  return isSecret ? MASK : redactValue(value);
}

function redactPath(path: string): string {
  return path
    .replace(/(;[^=/;]+=)[^/;]*/g, `$1${MASK}`)
    .replace(/[^/]+/g, (segment) => (looksRandom(segment) ? MASK : segment));
}

/** A parameter without a value stays if it is a plain word, such as `?rss`. */
function redactParameters(query: string): string {
  return query.replace(/[^?&;]+/g, (parameter) => {
    const [name = ''] = parameter.split('=', 1);
    if (name.length < parameter.length) return `${name}=${MASK}`;
    return /^[a-z_-]{1,12}$/i.test(name) ? name : MASK;
  });
}

function redactFragment(fragment: string): string {
  return /^#?[\w-]*$/.test(fragment) && !looksRandom(fragment) ? fragment : `#${MASK}`;
}

/** Tokens in paths are hexadecimal, or long and of mixed case. Words are short or in one case. */
function looksRandom(segment: string): boolean {
  const runs = segment.match(/[\w-]{20,}/g) ?? [];
  return runs.some((run) => {
    if (/[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.test(run)) return true;
    if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false;
    return run.length >= 32 || (/\d/.test(run) && !/[_-]/.test(run));
  });
}
