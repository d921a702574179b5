import { expect, it } from 'vitest';
import { publication } from '../publication.sample';
import { changeOf, draftOf, emptyDraft, localInput, newPublications } from './draft';

const draft = () => ({ ...emptyDraft(new Date(2026, 0, 1, 9, 40), 'Europe/Berlin'), text: 'Hello' });

it('proposes the next full hour', () => {
  expect(draft().localTime).toBe('2026-01-01T10:00');
});

it('asks for now without a time', () => {
  expect(newPublications(draft(), ['1', '2'])).toEqual({
    accountIds: ['1', '2'],
    content: { text: 'Hello', mediaUrls: [] },
    priority: 'normal',
  });
});

it('sends a time with its zone, a link, a title and each file', () => {
  const full = {
    ...draft(),
    when: 'time' as const,
    media: 'https://a/1.png\n\n https://a/2.png ',
    link: ' https://b ',
    title: 'T',
  };
  expect(newPublications(full, ['1'])).toMatchObject({
    content: { mediaUrls: ['https://a/1.png', 'https://a/2.png'], link: 'https://b', title: 'T' },
    localTime: '2026-01-01T10:00',
    timezone: 'Europe/Berlin',
  });
});

it('asks for the next free slot instead of a time', () => {
  const asked = newPublications({ ...draft(), when: 'slot' }, ['1']);
  expect(asked).toMatchObject({ slot: 'next' });
  expect(asked).not.toHaveProperty('localTime');
});

it('reads when it expires by the clock of who types it', () => {
  const asked = newPublications({ ...draft(), expires: '2026-01-02T08:00' }, ['1']);
  expect(asked.expiresAt).toBe(new Date(2026, 0, 2, 8).toISOString());
});

it('changes only what was changed', () => {
  const before = publication({
    content: { text: 'Hello', mediaUrls: ['https://a'] },
    expiresAt: '2026-02-01T00:00:00.000Z',
  });
  const same = draftOf(before);
  expect(changeOf(same, before)).toBeUndefined();
  expect(changeOf({ ...same, priority: 'high' }, before)).toEqual({ priority: 'high' });
  expect(changeOf({ ...same, expires: '' }, before)).toEqual({ expiresAt: null });
  expect(changeOf({ ...same, text: 'Bye' }, before)).toEqual({ content: { text: 'Bye', mediaUrls: ['https://a'] } });
});

it('writes a local time as inputs want it', () => {
  expect(localInput(new Date(2026, 8, 5, 7, 3))).toBe('2026-09-05T07:03');
});
