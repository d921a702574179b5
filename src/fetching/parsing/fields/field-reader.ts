import type { FoundPost } from '../../../posts/post.js';
import type { FieldPaths } from '../../fetcher.js';
import { cleanText } from '../text/clean-text.js';
import { decodeReferences, plainText } from '../text/plain-text.js';
import { localName } from '../xml/names.js';
import { OpenElements } from '../xml/open-elements.js';
import { piecesOf } from '../xml/pieces.js';

const MAX_TEXTS = 1_000;

const MAX_LENGTH = 10_000;

const ATTRIBUTE = /\s([^\s=/<>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const MAX_VALUES = 50;

const MAX_VALUE_LENGTH = 2_000;

type Fields = NonNullable<FoundPost['fields']>;

/** A string is the content of an XML element, anything else a JSON value. */
export type FieldReader = (raw: unknown) => Fields;

export function fieldReader(fields: FieldPaths): FieldReader {
  const wanted = Object.entries(fields).map(([name, paths]) => ({ name, paths: paths.map(fieldPath) }));
  const textsInXml = xmlTexts(wanted.flatMap(({ paths }) => paths));
  return (raw) => {
    const textsAt = typeof raw === 'string' ? textsInXml(raw) : jsonTexts(raw);
    const found: Fields = {};
    for (const { name, paths } of wanted) {
      const value = firstValue(paths, textsAt);
      if (value !== undefined) found[name] = value;
    }
    return found;
  };
}

function firstValue(paths: FieldPath[], textsAt: TextsAt): string | string[] | undefined {
  for (const path of paths) {
    const value = fieldValue(textsAt(path, 'exact')) ?? fieldValue(textsAt(path, 'loose'));
    if (value !== undefined) return value;
  }
  return undefined;
}

function fieldValue(texts: string[]): string | string[] | undefined {
  const values = new Set<string>();
  for (const text of texts) {
    if (values.size >= MAX_VALUES) break;
    const line = oneValue(text);
    if (line) values.add(line);
  }
  const [first] = values;
  return values.size > 1 ? [...values] : first;
}

function oneValue(html: string): string {
  const line = plainText(html).slice(0, MAX_VALUE_LENGTH);
  // References may be encoded twice, and the cut may split a surrogate pair.
  return cleanText(line.replace(/[\ud800-\udbff]$/, '')).trim();
}

/** Keys are treated like elements, and a list like repeated elements. JSON has no attributes. */
function jsonTexts(item: unknown): TextsAt {
  return ({ names, attribute }: FieldPath, fit: Fit) => {
    if (attribute !== undefined) return [];
    let values = [item];
    for (const name of names) values = values.flatMap((value) => valuesUnder(value, name, fit)).slice(0, MAX_TEXTS);
    return values.flatMap(textOf);
  };
}

function valuesUnder(value: unknown, name: string, fit: Fit): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value)
    .filter(([key]) => fits(name, key.toLowerCase(), fit))
    .flatMap(([, inner]) => inner);
}

function textOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

interface Step {
  path: FieldPath;
  fit: Fit;
  met: number;
}

interface Element {
  steps: Step[];
  start: number;
}

function xmlTexts(paths: FieldPath[]): (markup: string) => TextsAt {
  const firstSteps = byFirstName(paths);
  return (markup) => {
    const found = findAll(markup, firstSteps);
    return (path, fit) => {
      const toHtml = path.attribute === undefined ? elementHtml : (tag: string) => attributeHtml(tag, path, fit);
      return found.at(path, fit).map(({ start, end }) => toHtml(markup.slice(start, end)));
    };
  };
}

function byFirstName(paths: FieldPath[]): Map<string, Step[]> {
  const steps = new Map<string, Step[]>();
  for (const path of paths) {
    const name = localName(path.names[0] ?? '');
    const both: Step[] = [
      { path, fit: 'exact', met: 0 },
      { path, fit: 'loose', met: 0 },
    ];
    steps.set(name, [...(steps.get(name) ?? []), ...both]);
  }
  return steps;
}

function findAll(markup: string, firstSteps: Map<string, Step[]>): FoundRanges {
  const found = new FoundRanges();
  const open = new OpenElements<Element>();
  for (const { kind, name: written, start, end } of piecesOf(markup)) {
    const name = written.toLowerCase();
    if (kind === 'open' || kind === 'empty') {
      const candidates = open.innermost?.value.steps ?? firstSteps.get(localName(name)) ?? [];
      const steps = candidates.flatMap((step) => further(step, name));
      found.tag(steps, { start, end });
      if (kind === 'open') open.open(name, { steps, start: end });
    } else if (kind === 'close') {
      for (const { value } of open.close(name)) found.element(value.steps, { start: value.start, end: start });
    }
  }
  for (const { value } of open.closeAll()) found.element(value.steps, { start: value.start, end: markup.length });
  return found;
}

function further({ path, fit, met }: Step, name: string): Step[] {
  const wanted = path.names[met];
  return wanted !== undefined && fits(wanted, name, fit) ? [{ path, fit, met: met + 1 }] : [];
}

interface Range {
  start: number;
  end: number;
}

class FoundRanges {
  private readonly ranges = new Map<FieldPath, Record<Fit, Range[]>>();

  at(path: FieldPath, fit: Fit): Range[] {
    return this.ranges.get(path)?.[fit] ?? [];
  }

  tag(steps: Step[], range: Range): void {
    for (const step of steps) if (step.path.attribute !== undefined) this.add(step, range);
  }

  element(steps: Step[], range: Range): void {
    for (const step of steps) if (step.path.attribute === undefined) this.add(step, range);
  }

  private add({ path, fit, met }: Step, range: Range): void {
    if (met < path.names.length) return;
    const ranges = this.ranges.get(path) ?? { exact: [], loose: [] };
    if (ranges[fit].length < MAX_TEXTS) ranges[fit].push(range);
    this.ranges.set(path, ranges);
  }
}

function elementHtml(markup: string): string {
  const bounded = withoutCutTag(markup.slice(0, MAX_LENGTH), markup.length > MAX_LENGTH);
  if (!/[<&]/.test(bounded)) return bounded;
  let html = '';
  let afterEnd = false;
  for (const { kind, start, end } of piecesOf(bounded)) {
    const raw = bounded.slice(start, end);
    if (kind === 'text') html += decodeReferences(raw);
    else if (kind === 'cdata') html += raw.replace(/^<!\[CDATA\[|\]\]>$/g, '');
    // Adjacent elements, such as the parts of an address, are separated by a space.
    else if (kind !== 'other') html += afterEnd && kind !== 'close' ? ` ${raw}` : raw;
    afterEnd = kind === 'close';
  }
  return html;
}

function attributeHtml(tag: string, { attribute = '' }: FieldPath, fit: Fit): string {
  for (const [, name = '', double, single] of tag.slice(0, MAX_LENGTH).matchAll(ATTRIBUTE)) {
    if (fits(attribute, name.toLowerCase(), fit)) return decodeReferences(double ?? single ?? '');
  }
  return '';
}

function withoutCutTag(markup: string, isCut: boolean): string {
  const lastTag = isCut ? markup.lastIndexOf('<') : -1;
  return lastTag > markup.lastIndexOf('>') ? markup.slice(0, lastTag) : markup;
}

interface FieldPath {
  names: string[];
  attribute?: string | undefined;
}

function fieldPath(written: string): FieldPath {
  const [way = '', attribute] = written.toLowerCase().split('@');
  return { names: way.split('/'), attribute };
}

type Fit = 'exact' | 'loose';

/** Any prefix matches only if nothing else was found. Both names are in lower case. */
function fits(wanted: string, name: string, fit: Fit): boolean {
  return name === wanted || (fit === 'loose' && !wanted.includes(':') && name.endsWith(`:${wanted}`));
}

type TextsAt = (path: FieldPath, fit: Fit) => string[];
