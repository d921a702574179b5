import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { emptyDraft } from './draft';
import { WhenFields } from './when-fields';

const shown = (localTime: string) =>
  renderToStaticMarkup(
    createElement(WhenFields, {
      draft: { ...emptyDraft(new Date('2027-01-01T12:00:00Z'), 'Europe/Berlin'), when: 'time', localTime },
      onChange: () => undefined,
      ways: { now: 'Now', time: 'At a time' },
      refusals: { ofField: () => undefined, ofAccount: () => [] },
    }),
  );

it('warns in the form of a time that does not exist or comes twice', () => {
  expect(shown('2027-03-28T02:30')).toContain('The post is published at 03:30.');
  expect(shown('2027-10-31T02:30')).toContain('02:30 occurs twice on 2027-10-31');
  expect(shown('2027-03-29T02:30')).not.toContain('The post is published');
});
