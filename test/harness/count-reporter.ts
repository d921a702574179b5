import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes how many tests passed, failed and were skipped to a file, for the last line of `npm test`. */
export class CountReporter implements Reporter {
  constructor(private readonly file: string) {}

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string) => states.filter((each) => each === state).length;
    // Files that do not load and hooks that throw count as a failed test. A test that is still pending never ran.
    const outsideTests = modules
      .flatMap((module) => [module, ...module.children.allSuites()])
      .flatMap((each) => each.errors());
    const failed = count('failed') + count('pending') + outsideTests.length + unhandledErrors.length;
    writeFileSync(this.file, JSON.stringify({ passed: count('passed'), failed, skipped: count('skipped') }));
  }
}
