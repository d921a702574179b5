const SYLLABLES = 'ba co den fi gor hul kan le mo nis pra ru sel ta vun zi'.split(' ');
const VOCABULARY = SYLLABLES.flatMap((first) =>
  SYLLABLES.flatMap((second) => SYLLABLES.slice(0, 12).map((third) => `${first}${second}${third}`)),
);

/** Some words are far more frequent than others, as in any language. */
export function words(count: number, random: () => number): string {
  return Array.from({ length: count }, () => VOCABULARY[Math.floor(VOCABULARY.length * random() ** 3)]).join(' ');
}

/** About a kilobyte of HTML as blog software writes it. */
export function paragraphs(random: () => number): string {
  const link = `<a href="https://site.example/${words(1, random)}?page=${Math.floor(random() * 100)}">${words(3, random)}</a>`;
  return [
    `<p>${words(28, random)} ${link} ${words(10, random)}.</p>`,
    `<p><strong>${words(4, random)}</strong>: ${words(26, random)}.</p>`,
    `<p>${words(26, random)}.</p>`,
  ].join('\n');
}
