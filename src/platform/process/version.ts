import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The repository's `package.json`, from both `src/` and `dist/src/`. */
const here = import.meta.url;
const packageFile = new URL(here.includes('/dist/src/') ? '../../../../package.json' : '../../../package.json', here);

export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version;

export function userAgent(contactUrl: string | undefined): string {
  return `Millrace/${VERSION} (${contactUrl ? `+${contactUrl}` : 'self-hosted feed engine'})`;
}
