// npm run demo: installs and builds what changed, then runs the demo in this process, so that signals reach it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';

await installIfNeeded();
await buildIfNeeded({ withTests: false });
await import(pathToFileURL(join(root, 'dist/demo-program/demo-millrace.js')).href);
