/** Returns a string literal of the query language, from which the text cannot break out. */
export function quoted(text: string): string {
  const inner = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/["\\]/g, '\\$&');
  return `"${inner}"`;
}

/** Returns a POSIX extended pattern that matches exactly this text. */
export function literally(text: string): string {
  return text.replace(/[.[\]{}()*+?^$|\\]/g, '\\$&');
}
