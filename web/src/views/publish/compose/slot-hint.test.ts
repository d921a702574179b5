import { expect, it } from 'vitest';
import { slotHint } from './slot-hint';

const slots = { timezone: 'UTC', times: [] };

it('offers a slot only where every chosen account has some', () => {
  expect(slotHint([{ name: 'News', slots }])).toBeUndefined();
  expect(slotHint([])).toMatch(/Select an account first/);
  expect(
    slotHint([
      { name: 'News', slots },
      { name: 'Blog', slots: null },
    ]),
  ).toMatch(/^Blog has no slots/);
});
