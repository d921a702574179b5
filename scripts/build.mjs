// npm run build: brings dist/ up to date, the program and its page.
import { buildIfNeeded, installIfNeeded } from './prepare.mjs';

await installIfNeeded();
await buildIfNeeded({ withTests: false });
