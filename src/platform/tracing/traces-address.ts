/** From the collector's base address, which may have a path and end in a slash, to where it takes traces. */
export function tracesAddress(base: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}
