import type { SeededRandom } from '../seeded-random.js';
import type { Subject } from './subject.js';

export interface Article {
  title: string;
  author: string;
  /** Two to four paragraphs of plain text. */
  paragraphs: string[];
}

/** Values of the publication, such as `place`. */
type Own = Record<string, string>;

/** Writes a random article about a subject. */
export function writeArticle(subject: Subject, own: Own, random: SeededRandom): Article {
  const tell = teller(subject.phrases, own, random);
  const title = tell(random.pick(subject.titles));
  const middles = random.shuffled(subject.middles).map(tell);
  const paragraphs = [[tell(random.pick(subject.openings)), ...middles.splice(0, random.between(1, 2))]];
  for (let more = random.between(0, 2); more > 0; more--) paragraphs.push(middles.splice(0, random.between(2, 3)));
  paragraphs.push([...middles.splice(0, 1), tell(random.pick(subject.closings))]);
  return {
    title,
    author: random.pick(subject.authors),
    paragraphs: paragraphs.map((sentences) => sentences.join(' ')),
  };
}

/** Fills the placeholders of a text. A name stands for the same phrase wherever it occurs. */
function teller(phrases: Subject['phrases'], own: Own, random: SeededRandom): (text: string) => string {
  const chosen = new Map(Object.entries(own));
  const fill = (text: string): string =>
    text.replace(/\{(?:(\d+)-(\d+)|(\w+))\}/g, (_, least, most, name) => {
      if (least !== undefined) return String(random.between(Number(least), Number(most)));
      const known = chosen.get(name);
      if (known !== undefined) return known;
      const phrase = fill(random.pick(phrases[name] ?? missing(name)));
      chosen.set(name, phrase);
      return phrase;
    });
  return (text) => capitalised(fill(text));
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function missing(name: string): never {
  throw new Error(`no phrases are called ${name}`);
}
