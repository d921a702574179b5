import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Position {
  /** Both count from zero, as source maps do. */
  readonly line: number;
  readonly column: number;
}

interface SourceMapFile {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** Known positions. Programs fail in few places, so this is reached only by a program that evaluates generated code. */
const MAX_POSITIONS = 10_000;

const COMMA = ','.charCodeAt(0);
const SEMICOLON = ';'.charCodeAt(0);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGITS = new Uint8Array(128);
for (let digit = 0; digit < ALPHABET.length; digit++) DIGITS[ALPHABET.charCodeAt(digit)] = digit;

/**
 * Stack traces of compiled code name the lines of its sources. Node.js can do this too, but it reads all source maps at
 * the start, and its decoded form of the largest one takes more than 100 MB. Here a map is read for each new trace, which
 * takes about 20 ms, and only the positions that occurred are kept.
 */
export function nameSourcesInStackTraces(): void {
  const known = new Map<string, string | undefined>();
  Error.prepareStackTrace = (error, frames) => {
    if (known.size > MAX_POSITIONS) known.clear();
    learnPositions(frames, known);
    return [header(error), ...frames.map((frame) => `    at ${inSources(frame, known)}`)].join('\n');
  };
}

function learnPositions(frames: readonly NodeJS.CallSite[], known: Map<string, string | undefined>): void {
  const unknown = new Map<string, Position[]>();
  for (const frame of frames) {
    const file = frame.getFileName();
    const place = placeOf(frame);
    if (!file?.startsWith('file:') || !place || known.has(place)) continue;
    // The place stays unknown if the file has no map.
    known.set(place, undefined);
    const positions = unknown.get(file) ?? [];
    positions.push({ line: (frame.getLineNumber() ?? 1) - 1, column: (frame.getColumnNumber() ?? 1) - 1 });
    unknown.set(file, positions);
  }
  for (const [file, positions] of unknown) {
    try {
      learnFromMap(file, positions, known);
    } catch {
      // A file without a readable map appears as it is, because an error here would hide the one that is reported.
    }
  }
}

function learnFromMap(file: string, positions: readonly Position[], known: Map<string, string | undefined>): void {
  const { sources, mappings }: SourceMapFile = JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8'));
  for (const [{ line, column }, original] of findOriginals(mappings, positions)) {
    const path = fileURLToPath(new URL(sources[original.source] ?? '', file));
    known.set(`${file}:${line + 1}:${column + 1}`, `${path}:${original.line + 1}:${original.column + 1}`);
  }
}

/** The frame's own text contains this place, beside the name of the function. */
function placeOf(frame: NodeJS.CallSite): string {
  return `${frame.getFileName()}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
}

function inSources(frame: NodeJS.CallSite, known: Map<string, string | undefined>): string {
  const place = placeOf(frame);
  const original = known.get(place);
  return original === undefined ? `${frame}` : `${frame}`.replace(place, () => original);
}

interface Original extends Position {
  readonly source: number;
}

/** Goes through the mappings once, because each is written as a difference from the preceding one. */
export function findOriginals(mappings: string, wanted: readonly Position[]): Map<Position, Original> {
  const found = new Map<Position, Original>();
  const byLine = new Map<number, Position[]>();
  for (const position of wanted) byLine.set(position.line, [...(byLine.get(position.line) ?? []), position]);
  forEachMapping(mappings, (line, [column = 0, source = 0, originalLine = 0, originalColumn = 0]) => {
    for (const position of byLine.get(line) ?? []) {
      // Mappings are in the order of columns, so the last one at or before the position remains.
      if (column <= position.column) found.set(position, { source, line: originalLine, column: originalColumn });
    }
  });
  return found;
}

function forEachMapping(mappings: string, visit: (line: number, fields: readonly number[]) => void): void {
  const fields = [0, 0, 0, 0, 0];
  let line = 0;
  let field = 0;
  let value = 0;
  let shift = 0;
  for (let at = 0; at <= mappings.length; at++) {
    const code = at < mappings.length ? mappings.charCodeAt(at) : SEMICOLON;
    if (code === COMMA || code === SEMICOLON) {
      // A mapping with a column only marks code without a source.
      if (field > 1) visit(line, fields);
      field = 0;
      if (code === COMMA) continue;
      line++;
      fields[0] = 0;
      continue;
    }
    const digit = DIGITS[code] ?? 0;
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    fields[field] = (fields[field] ?? 0) + (value & 1 ? -(value >> 1) : value >> 1);
    field++;
    value = 0;
    shift = 0;
  }
}

function header(error: unknown): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}
