/** Returns the traces endpoint for the collector's base URL, which may have a path and end with a slash. */
export function tracesAddress(base: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}
