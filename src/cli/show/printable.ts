/** What a terminal would obey, or what turns the rest of a line around without being seen. */
const OBEYED = /\p{Cc}+/gu;
const UNSEEN = /\p{Cf}/gu;

/** Text of others, on one line. */
export const printable = (text: string) =>
  text.replaceAll(OBEYED, ' ').replaceAll(UNSEEN, '').replaceAll(/\s+/g, ' ').trim();

/** The same, where its lines are to stay. */
export const printableLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replaceAll(OBEYED, ' ').replaceAll(UNSEEN, '').trimEnd())
    .join('\n');
