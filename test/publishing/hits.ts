import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Folder for the files of hit publications, until the test ends. */
export function newHits(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-hits-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Ids of publications that were hit. */
export const hitIn = (folder: string): string[] => readdirSync(folder);
