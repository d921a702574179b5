import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, onTestFinished } from 'vitest';

/** The program, for a run of vitest beside the one that tests it. */
export const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** A temporary folder with these files (name → text), removed when the test is done. Returns its path. */
export function madeUpProject(files: Record<string, string>): string {
  const folder = mkdtempSync(join(inject('runFolder'), 'made-up-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** How a made-up file imports one of the harness. */
export function harnessFile(name: string): string {
  return JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
}
