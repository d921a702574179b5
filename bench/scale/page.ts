import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionsTable } from './connections.js';
import { type Cost, numbersOf } from './cost.js';
import { limitsTable, steps } from './limits.js';
import { fetchesTable, othersTable } from './measured.js';
import { needsTable } from './needs.js';
import { thousandTable } from './thousand.js';
import { readersTable, watchingTable } from './traffic.js';

const PAGE = join('docs', 'scale.md');

/** Writes the measured and calculated numbers of a report into the page. */
export async function writePage(costs: Cost[]): Promise<void> {
  await writeFile(PAGE, renderPage(await readFile(PAGE, 'utf8'), costs));
}

export function renderPage(page: string, costs: Cost[]): string {
  const of = numbersOf(costs);
  const tables: Record<string, () => string> = {
    fetches: () => fetchesTable(of),
    others: () => othersTable(costs),
    thousand: () => thousandTable(of),
    needs: () => needsTable(of),
    readers: () => readersTable(of),
    watching: () => watchingTable(of),
    connections: () => connectionsTable(of),
    ...Object.fromEntries(steps(of).map((step) => [step.name, () => limitsTable(step)])),
  };
  return page.replace(/<!-- (.+?): from the benchmark -->.*?<!-- end -->/gs, (_, name: string) => {
    const render = tables[name];
    if (!render) throw new Error(`${PAGE} asks for ${name}, which the benchmark does not have`);
    return `<!-- ${name}: from the benchmark -->\n${render()}\n<!-- end -->`;
  });
}
