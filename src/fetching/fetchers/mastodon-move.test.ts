import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { account, FakeMastodon } from '../../../test/platforms/fake-mastodon.js';
import { asking, fetcherTools } from '../../../test/platforms/fetcher-tools.js';
import { mastodon } from './mastodon.js';

const store = testDatabase();

async function newInstance() {
  const instance = await new FakeMastodon().start();
  const tools = fetcherTools(store.database, { mastodonUrl: instance.url });
  return { instance, ...asking(mastodon, 'alice@social.example', tools) };
}

describe('an account that has moved', () => {
  const OLD = 'https://social.example/users/alice';

  /** Moves to an account whose instance returns its aliases. */
  async function movingTo(target: Record<string, unknown>, alsoKnownAs?: string[]) {
    const made = await newInstance();
    const home = await new FakeMastodon().start();
    home.account = account('carol', { id: '202', ...target });
    home.alsoKnownAs = alsoKnownAs;
    made.instance.neighbours = [home];
    const moved = account('carol', { acct: 'Carol@New.example' });
    made.instance.account = account('alice', { id: '101', moved });
    made.instance.post();
    return { ...made, home };
  }

  it.each([
    ['its actor', {}, [OLD]],
    ['its actor, among others', {}, ['https://other.example/users/a', 'https://social.example/@Alice']],
    ['its API', { also_known_as: [OLD] }, undefined],
    ['the API of Akkoma', { pleroma: { also_known_as: [OLD] } }, undefined],
  ])('says where to, if the new one confirms it by %s', async (_, shown, alsoKnownAs) => {
    const { instance, page } = await movingTo(shown, alsoKnownAs);
    const uri = `${instance.url}users/carol`;
    Object.assign(instance.neighbours[0]?.account ?? {}, { uri });
    expect(await page()).toMatchObject({ movedTo: 'carol@new.example', posts: [{}] });
  });

  it.each([
    ['names nobody', {}, undefined],
    ['names somebody else', {}, ['https://social.example/users/bob', 'https://other.example/users/alice']],
    ['has moved on', { also_known_as: [OLD], moved: account('dave') }, undefined],
    ['is not what it should be', { also_known_as: 'everybody', username: 'other' }, undefined],
  ])('stays where it is while the new one %s, and asks again', async (_, shown, alsoKnownAs) => {
    const { instance, home, page } = await movingTo(shown, alsoKnownAs);
    Object.assign(home.account, { uri: `${instance.url}users/carol` });
    const { movedTo, validators } = await page();
    expect(movedTo).toBeUndefined();
    expect(validators).toEqual({ memo: '101' });
  });

  it('cannot have moved to itself', async () => {
    const { instance, page } = await newInstance();
    instance.account = account('alice', { id: '101', moved: account('Alice', { acct: 'Alice@Social.example' }) });
    expect((await page()).movedTo).toBeUndefined();
  });
});
