#!/usr/bin/env node
// millrace <command>: installs and builds what changed, then runs the command in this process, so that it receives
// signals and sets the exit code.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';

await installIfNeeded();
// Benchmarks are not part of the program.
await buildIfNeeded({ withTests: process.argv[2] === 'bench' });
await import(pathToFileURL(join(root, 'dist/program/millrace.js')).href);
