import { type AttributeName, attribute, localName } from './names.js';
import { piecesOf } from './pieces.js';

const HOLDERS = new Set(['channel', 'item']);

/** CDF is like RSS but has URLs and times in attributes, and abstracts. */
export function fromCdf(text: string): string {
  const pieces: string[] = [];
  for (const { kind, name, start, end } of piecesOf(text)) {
    const raw = text.slice(start, end);
    const local = localName(name);
    if (local === 'abstract') pieces.push(raw.replace(/abstract/i, 'description'));
    else if (!HOLDERS.has(local) || !inside(raw)) pieces.push(raw);
    else if (kind === 'empty') pieces.push(raw.replace(/\/>$/, '>'), inside(raw), `</${name}>`);
    else pieces.push(raw, inside(raw));
  }
  return pieces.join('');
}

function inside(tag: string): string {
  return element('link', tag, 'href') + element('pubDate', tag, 'lastmod');
}

function element(name: string, tag: string, from: AttributeName): string {
  const value = attribute(tag, from);
  return value ? `<${name}>${value}</${name}>` : '';
}
