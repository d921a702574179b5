/** Told by a byte order mark, or by a first `<` and what follows it. */
export function isUtf32(bytes: Uint8Array): boolean {
  return bigEndian(bytes) !== undefined;
}

export function decodeUtf32(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const littleEndian = !bigEndian(bytes);
  const pieces: string[] = [];
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian);
    if (code !== 0xfeff) pieces.push(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
  }
  return pieces.join('');
}

function bigEndian([a, b, c, d]: Uint8Array): boolean | undefined {
  if (a === 0 && b === 0 && ((c === 0xfe && d === 0xff) || (c === 0 && d === 0x3c))) return true;
  if (c === 0 && d === 0 && ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0))) return false;
  return undefined;
}
