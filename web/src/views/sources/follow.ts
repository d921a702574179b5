import { answer, api } from '../../api/client';
import type { paths } from '../../api/schema';
import type { Source } from './source';

type Discovered = paths['/api/v1/sources/discover']['post']['responses'][200]['content']['application/json'];
export type Offer = Discovered['items'][number];

/** A single source is followed at once; if there are several, the user chooses. */
type FollowResult = { followed: Source[] } | { offers: Offer[] };

export async function followAddress(url: string): Promise<FollowResult> {
  const { items } = await answer(api.POST('/api/v1/sources/discover', { body: { url } }));
  return items.length > 1 ? { offers: items } : { followed: await followOffers(items) };
}

export async function followOffers(offers: Offer[]): Promise<Source[]> {
  const followed: Source[] = [];
  for (const { type, externalId } of offers) {
    followed.push(await answer(api.POST('/api/v1/sources/follow', { body: { type, externalId } })));
  }
  return followed;
}
