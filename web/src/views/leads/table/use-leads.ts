import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { answer, api } from '../../../api/client';
import type { paths } from '../../../api/schema';
import { LEADS } from '../job-keys';
import { type LeadFilters, leadQuery } from './lead-filters';

type LeadPage = paths['/api/v1/leads']['get']['responses'][200]['content']['application/json'];
export type Lead = LeadPage['items'][number];

export function useLeads(jobId: string | undefined, filters: LeadFilters) {
  return useInfiniteQuery({
    queryKey: [LEADS, jobId, leadQuery(filters)],
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readLeads(jobId, filters, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** The API also returns CSV and JSON Lines on request, hence the casts. */
async function readLeads(jobId: string | undefined, filters: LeadFilters, cursor: string | undefined) {
  const { duplicates, ...rest } = leadQuery(filters);
  const query = { ...rest, ...(cursor !== undefined && { cursor }) };
  if (jobId === undefined) return (await answer(api.GET('/api/v1/leads', { params: { query } }))) as LeadPage;
  const params = { path: { id: jobId }, query: { ...query, ...(duplicates && { duplicates }) } };
  return (await answer(api.GET('/api/v1/jobs/scrape/{id}/leads', { params }))) as LeadPage;
}
