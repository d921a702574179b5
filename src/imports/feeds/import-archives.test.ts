import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { FeedSite } from '../../../test/harness/feed-site.js';
import { startImporting } from '../../../test/imports/importing.js';

const db = testDatabase();

it('what the archive shows in an older version stays as the feed itself shows it, however often it is imported', async () => {
  const site = await FeedSite.start();
  site.show('/feed', [
    { guid: 'a', title: 'a, corrected' },
    { guid: 'b', title: 'b' },
  ]);
  const older = [
    { guid: 'a', title: 'a' },
    { guid: 'c', title: 'c' },
  ];
  site.show('/older', older);
  const me = (await startImporting(db.url, { importBatch: 2 })).as('me');
  await me.whenEnded((await me.start([site.url('/feed')], { follow: true })).id);

  site.show(
    '/feed',
    [
      { guid: 'a', title: 'a, corrected' },
      { guid: 'b', title: 'b' },
    ],
    {
      rel: 'prev-archive',
      url: site.url('/older'),
    },
  );
  const { id } = await me.start([site.url('/feed')], { full: true });
  expect((await me.whenEnded(id)).items).toEqual({ found: 3, new: 1, updated: 0, unchanged: 2, failed: 0 });
  expect((await me.titles()).toSorted()).toEqual(['a, corrected', 'b', 'c']);
});
