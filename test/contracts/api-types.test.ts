import { expect, it } from 'vitest';
import { FeedsModule } from '../../src/feeds/feeds.module.js';
import { FetchingModule } from '../../src/fetching/fetching.module.js';
import { FollowingModule } from '../../src/following/following.module.js';
import { ImportsModule } from '../../src/imports/imports.module.js';
import { OperationsModule } from '../../src/operations/operations.module.js';
import { PostsModule } from '../../src/posts/posts.module.js';
import { PublishingModule } from '../../src/publishing/publishing.module.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { renderApiTypes } from '../../tools/render-api-types.js';
import { startApi } from '../harness/api.js';
import { testDatabase } from '../harness/database.js';

const db = testDatabase();
const reading = [FollowingModule, PostsModule, FetchingModule, FeedsModule, ImportsModule];
const modules = [...reading, ScrapingModule, PublishingModule, OperationsModule];

it('src/contracts/api.d.ts has the types of the OpenAPI document (vitest -u writes it)', async () => {
  const api = await startApi({ databaseUrl: db.url, modules });
  try {
    const document = (await api.send({ url: '/openapi.json', key: api.adminKey })).json();
    await expect(renderApiTypes(document)).toMatchFileSnapshot('../../src/contracts/api.d.ts');
  } finally {
    await api.stop();
  }
});
