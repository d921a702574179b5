// npm start: installs and builds what changed, then runs Millrace in this process, so that signals reach it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';

await installIfNeeded();
await buildIfNeeded({ withTests: false });
await import(pathToFileURL(join(root, 'dist/program/main.js')).href);
