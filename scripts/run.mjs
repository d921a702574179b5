// node scripts/run.mjs <file below dist> [arguments]: runs a compiled program as if it had been called directly.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, giveUp, installIfNeeded, root } from './prepare.mjs';

const [name, ...args] = process.argv.slice(2);
if (!name) giveUp('Usage: node scripts/run.mjs <file below dist> [arguments]');

await installIfNeeded();
await buildIfNeeded({ withTests: name.startsWith('bench/') });
const program = join(root, 'dist', name);
if (!existsSync(program)) giveUp(`dist/${name} does not exist.`);
process.argv = [process.argv[0], program, ...args];
process.setSourceMapsEnabled(true);
await import(pathToFileURL(program).href);
