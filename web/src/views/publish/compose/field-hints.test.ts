import { expect, it } from 'vitest';
import type { Platform } from '../capacity/use-platforms';
import { mediaHint, titleHint } from './field-hints';

const youtube = {
  label: 'YouTube channel',
  accepts: {
    text: { most: 5_000, unit: 'bytes' },
    title: { most: 100, required: true },
    media: { least: 1, most: 1, kinds: ['video'] },
  },
} as Platform;
const bluesky = {
  label: 'Bluesky',
  accepts: { text: { most: 300, unit: 'characters' }, title: null, media: { least: 0, most: 4, kinds: ['image'] } },
} as Platform;

it('says which files the chosen platforms take', () => {
  expect(mediaHint([youtube, bluesky])).toBe(
    'URLs, one per line. YouTube channel accepts exactly 1 (video); Bluesky accepts 0 to 4 (image).',
  );
  expect(mediaHint([])).toBe('URLs, one per line.');
});

it('says who needs a title', () => {
  expect(titleHint([youtube, bluesky])).toBe('YouTube channel requires a title of up to 100 characters.');
  expect(titleHint([bluesky])).toBe('Used only by platforms that show a title.');
});
