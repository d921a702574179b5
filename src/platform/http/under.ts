/** An address below a configured one, which may have a path of its own, with or without a slash at its end. */
export function under(base: string, path: string): URL {
  return new URL(base.endsWith('/') ? `${base}${path}` : `${base}/${path}`);
}
