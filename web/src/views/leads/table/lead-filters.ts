export interface LeadFilters {
  q: string;
  sourceType: string;
  /** Two letters; anything else is ignored. */
  country: string;
  onlyNew: boolean;
}

export const NO_FILTERS: LeadFilters = { q: '', sourceType: '', country: '', onlyNew: false };

export function leadQuery({ q, sourceType, country, onlyNew }: LeadFilters) {
  return {
    ...(q.trim() && { q: q.trim() }),
    ...(sourceType && { source_type: sourceType }),
    ...(/^[a-z]{2}$/i.test(country) && { country: country.toUpperCase() }),
    ...(onlyNew && { duplicates: 'false' as const }),
  };
}

export function downloadAddress(filters: LeadFilters, format: 'csv' | 'jsonl', jobId?: string): string {
  const { duplicates, ...query } = leadQuery(filters);
  const params = new URLSearchParams({ format, ...query });
  if (jobId === undefined) return `/api/v1/leads?${params}`;
  if (duplicates) params.set('duplicates', duplicates);
  return `/api/v1/jobs/scrape/${encodeURIComponent(jobId)}/leads?${params}`;
}
