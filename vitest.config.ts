import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/harness/count-reporter.js';
import { plainTests } from './test/harness/plain-tests.js';
import { SlowFirst } from './test/harness/slow-first.js';

// Set by scripts/test.mjs.
const countsFile = process.env.TEST_COUNTS_FILE;
const SERVERS = ['test/harness/global-setup.ts'];
/** Need nothing but their sources. */
const PLAIN = plainTests(import.meta.dirname);
/** The whole program in the process of the test, which must not have met jobs of other tests. */
const WHOLE_PROGRAM = 'src/start-millrace.test.ts';

interface Project {
  include: string[];
  exclude?: string[];
  isolate?: boolean;
  globalSetup?: string[];
  testTimeout?: number;
  maxWorkers?: number;
}
const project = (name: string, test: Project) => ({ extends: true as const, test: { name, ...test } });

// A process runs many of the files and loads the code once: half of the time would be loading otherwise.
const PROJECTS = [
  project('plain', { include: PLAIN, isolate: false }),
  project('beside', {
    include: ['{src,demo,tools}/**/*.test.ts'],
    exclude: [...PLAIN, WHOLE_PROGRAM],
    isolate: false,
    globalSetup: SERVERS,
  }),
  project('apart', {
    include: ['test/**/*.test.ts'],
    exclude: ['test/faults/**'],
    isolate: false,
    globalSetup: SERVERS,
  }),
  project('whole', { include: [WHOLE_PROGRAM], globalSetup: SERVERS }),
];
// One file at a time. The limit stands here because Vitest reads the rest of this file in the mode `test` for projects.
const FAULTS = [
  project('faults', {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: SERVERS,
    testTimeout: 600_000,
    maxWorkers: 1,
  }),
];

export default defineConfig(({ mode }) => ({
  test: {
    projects: mode === 'faults' ? FAULTS : PROJECTS,
    setupFiles: ['reflect-metadata'],
    reporters: ['default', ...(countsFile ? [new CountReporter(countsFile)] : [])],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
    pool: 'forks',
    // Most wait for servers, which want their share of two cores.
    maxWorkers: 4,
  },
}));
