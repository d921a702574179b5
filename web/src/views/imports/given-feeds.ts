/** One address a line; empty lines and the space around are not meant. */
export function addressesIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** By what a file begins with: its name and type are not to be relied on. */
export function isOpml(text: string): boolean {
  return text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('<');
}

/** What a refusal says about single addresses (`feeds.3`), each with the address it is about. */
export function refusedAddresses(
  errors: { path: string; message: string }[],
  addresses: string[],
): { address: string; why: string }[] {
  return errors.flatMap(({ path, message }) => {
    const [, at] = /^feeds\.(\d+)$/.exec(path) ?? [];
    const address = at === undefined ? undefined : addresses[Number(at)];
    return address === undefined ? [] : [{ address, why: message }];
  });
}
