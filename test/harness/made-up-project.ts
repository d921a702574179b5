import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, onTestFinished } from 'vitest';

/** The path of vitest, for a run inside a test. */
export const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** Creates a temporary folder with these files (name → text), which is removed when the test ends. Returns its path. */
export function madeUpProject(files: Record<string, string>): string {
  const folder = mkdtempSync(join(inject('runFolder'), 'made-up-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** How such a file imports a module of the harness. */
export function harnessFile(name: string): string {
  return JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
}
