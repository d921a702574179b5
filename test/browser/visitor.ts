import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { thisMachine } from '../harness/servers/machine.js';

/** Maximum time in milliseconds for a page to show what it was asked for. */
const TIMEOUT_MS = 15_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Visit extends BrowserContextOptions {
  /** Complaints of the browser that are expected, such as a refused request. */
  tolerates?: RegExp;
}

/** Starts Chromium for this test file. Each visitor has a profile of their own. */
export function browser(): { visit(address: string, visit?: Visit): Promise<Page> } {
  let chrome: Browser | undefined;
  beforeAll(async () => {
    const machine = thisMachine();
    const executablePath = machine.given('chromium') ?? machine.installed('chromium');
    if (!executablePath) throw new Error('There is no Chromium; `npm test` installs one where it can.');
    // Chromium has no sandbox when root runs it, and containers have a small /dev/shm.
    chrome = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  });
  afterAll(() => chrome?.close());
  return {
    async visit(address, { tolerates, ...options } = {}) {
      if (!chrome) throw new Error('browser() is ready only inside tests and hooks');
      return newVisitor(await chrome.newContext({ baseURL: address, ...options }), tolerates);
    },
  };
}

/** Fails the test at its end if the browser complained, for example about the content security policy. */
async function newVisitor(context: BrowserContext, tolerates?: RegExp): Promise<Page> {
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  onTestFinished(async () => {
    await context.close();
    expect(complaints.filter((complaint) => !tolerates?.test(complaint))).toEqual([]);
  });
  return page;
}

/** Signs in with a key. */
export async function signIn(page: Page, key: string, next = '/'): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  await page.getByLabel('Key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}

/** Serious and critical findings of axe, with where they are. The page's policy allows no scripts but its own, so it is evaluated. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe;
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string; failureSummary: string }[];
    }
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
  });
}
