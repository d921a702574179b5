import { expect, it } from 'vitest';
import {
  type FakeSite,
  fetcherConformance,
  remoteFetcherConformance,
} from '../../../test/fetching/fetcher-conformance.js';
import { item, rssOf } from '../../../test/fetching/made-feeds.js';
import { testDatabase } from '../../../test/harness/database.js';
import { ALICE, FakeBluesky, postView } from '../../../test/platforms/fake-bluesky.js';
import { account, FakeMastodon, mastodonStatus } from '../../../test/platforms/fake-mastodon.js';
import { CHANNEL, FakeYoutube } from '../../../test/platforms/fake-youtube.js';
import { FETCHERS } from '../fetchers.js';

const store = testDatabase();

/** A feed with two items a page, whose archive is read by `before`. */
class PagedFeed {
  url = '';
  private readonly ids: string[] = [];

  publish(): string {
    const id = `post-${this.ids.length}`;
    this.ids.unshift(id);
    return id;
  }

  readonly listener: FakeSource['listener'] = (request, response) => {
    const before = new URL(request.url ?? '/', this.url).searchParams.get('before');
    const older = this.ids.slice(before ? this.ids.indexOf(before) + 1 : 0);
    const page = older.length > 3 ? older.slice(0, 2) : older;
    const next = page.length < older.length ? `<atom:link rel="next" href="/feed?before=${page.at(-1)}"/>` : '';
    const items = page.map((id) => item(`<guid>${id}</guid><title>${id}</title>`));
    response
      .writeHead(200, { 'content-type': 'application/rss+xml' })
      .end(rssOf('<title>News</title>', next, ...items));
  };
}

class MastodonAccount extends FakeMastodon {
  publish = () => String(this.post().id);
}

class BlueskyAccount extends FakeBluesky {
  publish = () => String(this.post().uri);
}

class YoutubeChannel extends FakeYoutube {
  publish(): string {
    const id = `video${String(this.videos.length).padStart(6, '0')}`;
    this.videos.unshift({ id });
    return `yt:video:${id}`;
  }
}

function posting(fields: Record<string, unknown>) {
  const instance = new MastodonAccount();
  instance.post(fields);
  return instance;
}

function withAccount(fields: Record<string, unknown>) {
  const instance = new MastodonAccount();
  instance.account = account('alice', fields);
  return instance;
}

function answering(body: unknown) {
  const appView = new BlueskyAccount();
  appView.refuses = { status: 200, body };
  return appView;
}

type FakeSource = ReturnType<FakeSite['open']>;

const SITES: Record<string, FakeSite> = {
  rss: {
    ids: {
      id: 'https://site.example/feed',
      spellings: ['HTTPS://Site.Example:443/feed#top', 'feed:https://site.example/feed', 'https://site.example./feed?'],
      invalid: ['site.example/feed', 'ftp://site.example/feed', 'file:///etc/passwd', 'https://'],
    },
    open: () => new PagedFeed(),
    at: (url) => ({ externalId: `${url}feed` }),
    pages: 'archive',
    invalidCursors: ['', '2', '/feed?page=2', 'file:///etc/passwd', 'ftp://a.example/'],
    meanings: { 204: 'NETWORK_ERROR', 403: 'AUTH_ERROR', 418: 'NETWORK_ERROR', 451: 'NETWORK_ERROR' },
    // A feed has no contract: what can be read of it is read.
    breaches: [],
  },
  mastodon: {
    ids: {
      id: 'alice@social.example',
      spellings: ['@Alice@Social.Example', 'alice@social.example:443', 'alice@social.example.'],
      invalid: ['alice', '@alice', 'alice@', 'alice@a/b', 'alice@b@c'],
    },
    open: () => new MastodonAccount(),
    at: (url) => ({ externalId: 'alice@social.example', config: { mastodonUrl: url } }),
    pages: 'always',
    invalidCursors: ['', '101', '101/', '101/../x', 'a b/c'],
    // The account is looked up first, without conditions, so a 304 is a status like any other.
    meanings: { 304: 'UNKNOWN_ERROR' },
    complaint: { error: 'not for you' },
    breaches: [
      ['the content', () => posting({ content: null }), '0.content'],
      ['the id', () => posting({ id: 112 }), '0.id'],
      ['an id that is a path', () => posting({ id: '../../admin' }), '0.id'],
      ['the author', () => posting({ account: undefined }), '0.account'],
      ['a boost', () => posting({ reblog: mastodonStatus('1', { content: 5 }) }), '0.reblog.content'],
      ['the id of the account', () => withAccount({ id: null }), 'id'],
    ],
  },
  bluesky: {
    ids: {
      id: ALICE.handle,
      spellings: ['@Alice.Example', 'ALICE.example'],
      invalid: ['alice', 'alice@example.com', 'alice..example', 'did:plc:short', 'did:key:z6'],
      addresses: [['https://bsky.app/profile/Alice.Example/', ALICE.handle]],
    },
    open: () => new BlueskyAccount(),
    at: (url) => ({ externalId: ALICE.handle, config: { blueskyUrl: url } }),
    pages: 'always',
    // Its cursors are opaque.
    invalidCursors: [],
    complaint: { error: 'Odd', message: 'not for you' },
    breaches: [
      ['no feed', () => answering({}), 'feed'],
      ['a feed of something else', () => answering({ feed: [{}] }), 'feed.0.post'],
      ['the author', () => answering({ feed: [{ post: postView('1', { author: undefined }) }] }), 'feed.0.post.author'],
      ['the address', () => answering({ feed: [{ post: postView('1', { uri: 'x' }) }] }), 'feed.0.post.uri'],
      ['the cursor', () => answering({ feed: [], cursor: 5 }), 'cursor'],
    ],
  },
  youtube: {
    ids: {
      id: CHANNEL,
      spellings: [`playlist:${CHANNEL.replace('UC', 'UU')}`],
      invalid: ['UCshort', CHANNEL.toLowerCase(), `${CHANNEL}x`, '@mills', 'playlist:', 'playlist:PL/../x'],
      addresses: [[`https://youtube.com/channel/${CHANNEL}/videos?x=1`, CHANNEL]],
    },
    open: () => new YoutubeChannel(),
    at: (url) => ({ externalId: CHANNEL, config: { youtubeUrl: url } }),
    pages: 'never',
    invalidCursors: ['2', ''],
    breaches: [],
  },
};

const REMOTE_IDS: Record<string, FakeSite['ids']> = {
  instagram: {
    id: 'natgeo',
    spellings: ['@NatGeo'],
    invalid: ['.natgeo', 'nat..geo', 'natgeo.', 'nat geo', 'https://instagram.com/natgeo'],
    addresses: [['https://www.instagram.com/NatGeo/?hl=en', 'natgeo']],
  },
  twitter: {
    id: 'nasa',
    spellings: ['@NASA'],
    invalid: ['a-b', 'sixteencharacters', 'https://x.com/nasa'],
    addresses: [
      ['https://x.com/NASA/status/1', 'nasa'],
      ['https://mobile.twitter.com/nasa', 'nasa'],
    ],
  },
};

it('covers every fetcher', () => {
  const covered = [...Object.keys(SITES), ...Object.keys(REMOTE_IDS)].sort();
  expect(covered).toEqual(FETCHERS.map(({ type }) => type).sort());
});

for (const fetcher of FETCHERS) {
  const site = SITES[fetcher.type];
  const ids = REMOTE_IDS[fetcher.type];
  if (site) fetcherConformance(fetcher, site, store);
  if (ids) remoteFetcherConformance(fetcher, ids);
}
