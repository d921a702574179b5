import { afterAll, beforeAll } from 'vitest';
import { FeedsModule } from '../../src/feeds/feeds.module.js';
import { FetchingModule } from '../../src/fetching/fetching.module.js';
import { FollowingModule } from '../../src/following/following.module.js';
import { ImportsModule } from '../../src/imports/imports.module.js';
import { OperationsModule } from '../../src/operations/operations.module.js';
import type { Config } from '../../src/platform/config.js';
import { PostsModule } from '../../src/posts/posts.module.js';
import { PublishingModule } from '../../src/publishing/publishing.module.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { type Api, startApi } from '../harness/api.js';
import { testDatabase } from '../harness/database.js';
import { runMillraceCommand } from './run-millrace-command.js';

const READING = [FollowingModule, PostsModule, FetchingModule, FeedsModule, ImportsModule];
const SETTINGS = {
  allowNetworks: ['127.0.0.1'],
  requestsPerMinute: 100_000,
  importRate: 100_000,
  hostConcurrency: 10,
  secretKeys: ['a-secret-key-for-the-command-line-only'],
};

type Surroundings = Parameters<typeof runMillraceCommand>[1];

/** Runs the whole program for the tests of a file, in real time, with a command line that talks to it. */
export function runningMillrace(config: Partial<Config> = {}) {
  const server = testDatabase();
  let api: Api | undefined;
  let url = '';
  let timer: NodeJS.Timeout | undefined;

  beforeAll(async () => {
    const modules = [...READING, ScrapingModule, PublishingModule, OperationsModule];
    const started = await startApi({ databaseUrl: server.url, config: { ...SETTINGS, ...config }, modules });
    api = started;
    timer = setInterval(() => started.clock.advance(Date.now() - started.clock.now().getTime()), 10);
    await started.app.listen(0, '127.0.0.1');
    url = await started.app.getUrl();
  });
  afterAll(async () => {
    clearInterval(timer);
    await api?.stop();
  });

  const environment = () => ({ MILLRACE_URL: url, MILLRACE_KEY: api?.adminKey ?? '' });
  return {
    get url() {
      return url;
    },
    get key() {
      return api?.adminKey ?? '';
    },
    /** Runs `millrace …` against this server. */
    run: (args: string[], more: Surroundings = {}) =>
      runMillraceCommand(args, { ...more, environment: { ...environment(), ...more?.environment } }),
  };
}
