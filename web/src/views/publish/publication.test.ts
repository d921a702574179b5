import { expect, it } from 'vitest';
import {
  headline,
  mayChange,
  mayPublishNow,
  mayResolve,
  mayRetry,
  type Status,
  waitingText,
  whenText,
} from './publication';
import { publication } from './publication.sample';

it('offers what the server would do with a publication in its status', () => {
  const offered = (status: Status) => {
    const one = publication({ status });
    return [mayChange(one), mayRetry(one), mayResolve(one)];
  };
  expect(offered('scheduled')).toEqual([true, false, false]);
  expect(offered('queued')).toEqual([true, false, false]);
  expect(offered('failed')).toEqual([false, true, false]);
  expect(offered('unknown')).toEqual([false, false, true]);
  expect(offered('published')).toEqual([false, false, false]);
});

it('can be hurried only while it waits for its time', () => {
  expect(mayPublishNow(publication({ waitingFor: 'its time' }))).toBe(true);
  expect(mayPublishNow(publication({ waitingFor: 'capacity within the limit' }))).toBe(false);
});

it('says what it waits for', () => {
  const until = '2026-01-01T10:00:00.000Z';
  expect(waitingText(publication({ waitingFor: 'its time', waitsUntil: until }))).toBe('Publishes');
  expect(waitingText(publication({ waitingFor: 'another try', waitsUntil: until }))).toBe(
    'Waiting for another try, continues',
  );
  expect(waitingText(publication({ waitingFor: 'a worker', waitsUntil: null }))).toBe('Waiting for a worker');
  expect(waitingText(publication({ waitingFor: null }))).toBeUndefined();
});

it('tells the time that matters', () => {
  const at = '2026-01-01T10:00:00.000Z';
  const ended = { waitingFor: null, waitsUntil: null };
  expect(whenText(publication({ waitingFor: 'its time', waitsUntil: at }))).toEqual({ words: 'Publishes', at });
  expect(whenText(publication({ waitingFor: 'another try', waitsUntil: at }))).toEqual({ words: 'Continues', at });
  expect(whenText(publication({ waitingFor: 'a worker', waitsUntil: null }))).toBeUndefined();
  expect(whenText(publication({ ...ended, status: 'published', publishedAt: at }))).toEqual({ words: 'Published', at });
  expect(whenText(publication({ ...ended, status: 'failed', scheduledAt: at }))).toEqual({ words: 'Was due', at });
});

it('is named by its title, its text or its files', () => {
  expect(headline(publication({ content: { title: 'T', text: 'x', mediaUrls: [] } }))).toBe('T');
  expect(headline(publication({ content: { text: ' words ', mediaUrls: [] } }))).toBe('words');
  expect(headline(publication({ content: { text: '', mediaUrls: ['a', 'b'] } }))).toBe('2 files without text');
});
