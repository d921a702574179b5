import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask } from '../program/api-client.js';
import { entranceOf, startDemo } from '../program/demo-process.js';
import { accessibilityProblems, browser, signIn } from './visitor.js';

/** Where pictures of every view are left, if somebody wants to look at them. */
const SHOTS = process.env.TEST_SCREENSHOTS;
const VIEWS = ['feed', 'sources', 'imports', 'leads', 'dead-letters', 'health', 'publish'];
const SMALL_VIEWS = ['publish/new', 'publish/calendar', 'publish/accounts'];
/** Colours are the same at every size, so that one scheme is enough for each. */
const SIZES = {
  desk: { viewport: { width: 1280, height: 800 }, schemes: ['light'], views: [...VIEWS, ...SMALL_VIEWS] },
  phone: { viewport: { width: 390, height: 844 }, schemes: ['dark'], views: VIEWS },
} as const;
const WAIT_OPTIONS = { timeout: 60_000, interval: 500 };

const chrome = browser();
const ends: (() => Promise<void>)[] = [];
let entrance: { address: string; key: string };
beforeAll(async () => {
  const { demo } = startDemo((end) => ends.push(end));
  entrance = await entranceOf(demo);
  await vi.waitFor(async () => expect((await items('dead-letters')).length).toBeGreaterThan(2), WAIT_OPTIONS);
}, 90_000);
// The program ends before its folder goes.
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

describe.each(Object.entries(SIZES))('on a %s', (size, { viewport, schemes, views }) => {
  it('every view is there for everybody, in light or dark, without scrolling sideways', {
    timeout: 180_000,
  }, async () => {
    const page = await chrome.visit(entrance.address, { viewport });
    await signIn(page, entrance.key);
    for (const view of views) {
      await page.goto(`/${view}`);
      await isFilled(page, view);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), view).toBe(false);
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        expect(await accessibilityProblems(page), `${view}, ${colorScheme}`).toEqual([]);
        await keepPicture(page, `${view.replace('/', '-')}-${size}-${colorScheme}`);
      }
    }
  });
});

async function items(list: string): Promise<unknown[]> {
  const answer = await ask(`${entrance.address}/api/v1/${list}`, { key: entrance.key });
  return ((await answer.json()) as { items: unknown[] }).items;
}

/** A post, an import, a search or a letter is opened where there are some. */
async function isFilled(page: Page, view: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await isLoaded(page);
  if (!['feed', 'imports', 'leads', 'dead-letters'].includes(view)) return;
  await page.locator(`main a[href^="/${view}/"]`).first().click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await isLoaded(page);
}

/** Words that say so fade in, and are too pale until they have. */
async function isLoaded(page: Page): Promise<void> {
  await expect
    .poll(
      () =>
        page
          .getByRole('status')
          .filter({ hasText: /^Loading / })
          .count(),
      WAIT_OPTIONS,
    )
    .toBe(0);
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
