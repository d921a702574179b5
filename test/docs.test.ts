import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const MAX_LINE = 150;

const filesIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const PAGES = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs'), ...filesIn('docs/decisions')];

const linesOf = (page: string) => readFileSync(join(root, page), 'utf8').split('\n');

/** Empties the lines of code blocks, so that line numbers stay the same. */
function withoutCode(lines: string[]): string[] {
  let isCode = false;
  return lines.map((line) => {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) isCode = !isCode;
    return isCode || isFence ? '' : line;
  });
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

function problemOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path ? join(dirname(page), path) : page;
  if (!existsSync(join(root, target))) return `${link}: ${target} does not exist`;
  if (anchor === undefined) return undefined;
  const anchors = withoutCode(linesOf(target))
    .filter((line) => /^#+ /.test(line))
    .map(anchorOf);
  return anchors.includes(anchor) ? undefined : `${link}: ${target} has no such heading`;
}

describe.each(PAGES)('%s', (page) => {
  const prose = withoutCode(linesOf(page));

  it(`has no line over ${MAX_LINE} characters outside tables and code`, () => {
    const long = prose.flatMap((line, index) =>
      line.length > MAX_LINE && !line.startsWith('|') ? [`line ${index + 1}`] : [],
    );
    expect(long).toEqual([]);
  });

  it('names every column of its tables', () => {
    const headers = prose.filter((_, index) => /^\|[\s:|-]+\|$/.test(prose[index + 1] ?? ''));
    expect(headers.filter((header) => /\|\s*\|/.test(header))).toEqual([]);
  });

  it('links only to files and headings that exist', () => {
    const links = prose.flatMap((line) => [...line.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link));
    const relative = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(relative.flatMap((link) => problemOf(page, link) ?? [])).toEqual([]);
  });
});
