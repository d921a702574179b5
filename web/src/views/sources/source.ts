import type { paths } from '../../api/schema';

type SourcePage = paths['/api/v1/sources']['get']['responses'][200]['content']['application/json'];
export type Source = SourcePage['items'][number];
export type ConditionState = Source['condition']['state'];

/** A source has no title before its first fetch. */
export const nameOf = ({ title, externalId }: Pick<Source, 'title' | 'externalId'>): string =>
  title?.trim() || externalId.replace(/^https?:\/\//, '');
