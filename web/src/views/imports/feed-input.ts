export function addressesIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Decided by the content, because file names and types are unreliable. */
export function isOpml(text: string): boolean {
  return text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('<');
}

/** Maps errors such as `feeds.3` back to the addresses that were sent. */
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
