/** A string of the query language. Whatever is in it stays in it. */
export function quoted(text: string): string {
  const inner = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/["\\]/g, '\\$&');
  return `"${inner}"`;
}

/** A pattern of the query language, which are POSIX extended, that means this very text. */
export function literally(text: string): string {
  return text.replace(/[.[\]{}()*+?^$|\\]/g, '\\$&');
}
