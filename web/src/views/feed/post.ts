import type { paths } from '../../api/schema';

export type PostPage = paths['/api/v1/feed']['get']['responses'][200]['content']['application/json'];
export type Post = PostPage['items'][number];

/** Addresses of icons by the ids of sources. */
export type SourceIcons = ReadonlyMap<string, string | null>;
