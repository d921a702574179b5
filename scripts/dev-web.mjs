// npm run dev:web: serves the page from its sources, with the API of a Millrace that runs on port 3000.
import { installIfNeeded, runInstalled } from './prepare.mjs';

await installIfNeeded();
process.exitCode = runInstalled('vite', ['--config', 'web/vite.config.js']);
