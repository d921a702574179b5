/** Nobody sees this error: the general reader reads the document then. It is made once, because its stack says nothing. */
export const NOT_PLAIN = new Error('the document needs the general reader');

export function refuse(): never {
  throw NOT_PLAIN;
}
