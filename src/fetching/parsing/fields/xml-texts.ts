import { localName } from '../xml/names.js';
import { OpenElements } from '../xml/open-elements.js';
import { piecesOf } from '../xml/pieces.js';
import { type FieldPath, type Fit, fits, MOST_TEXTS, type TextsAt } from './field-path.js';
import { attributeHtml, elementHtml } from './xml-html.js';

/** A path whose first names have been met. */
interface Step {
  path: FieldPath;
  fit: Fit;
  met: number;
}

interface Element {
  steps: Step[];
  /** Where what is in it begins. */
  start: number;
}

/** Walks once through what stands in an item, for all paths together. Texts are made only of what is asked for. */
export function xmlTexts(paths: FieldPath[]): (markup: string) => TextsAt {
  const firstSteps = byFirstName(paths);
  return (markup) => {
    const found = findAll(markup, firstSteps);
    return (path, fit) => {
      const toHtml = path.attribute === undefined ? elementHtml : (tag: string) => attributeHtml(tag, path, fit);
      return found.at(path, fit).map(({ start, end }) => toHtml(markup.slice(start, end)));
    };
  };
}

/** Most elements of an item are of no interest, which is told by one look. */
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

function findAll(markup: string, firstSteps: Map<string, Step[]>): Found {
  const found = new Found();
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

/** Where in the item the ends of paths lie. */
class Found {
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
    if (ranges[fit].length < MOST_TEXTS) ranges[fit].push(range);
    this.ranges.set(path, ranges);
  }
}
