/** Which leads are shown and downloaded. */
export interface LeadFilters {
  q: string;
  sourceType: string;
  /** Two letters; anything else does not filter. */
  country: string;
  onlyNew: boolean;
}

export const NO_FILTERS: LeadFilters = { q: '', sourceType: '', country: '', onlyNew: false };

/** As the API takes them. */
export function leadQuery({ q, sourceType, country, onlyNew }: LeadFilters) {
  return {
    ...(q.trim() && { q: q.trim() }),
    ...(sourceType && { source_type: sourceType }),
    ...(/^[a-z]{2}$/i.test(country) && { country: country.toUpperCase() }),
    ...(onlyNew && { duplicates: 'false' as const }),
  };
}

/** Where all of them are downloaded from. */
export function downloadAddress(filters: LeadFilters, format: 'csv' | 'jsonl', jobId?: string): string {
  const { duplicates, ...query } = leadQuery(filters);
  const asked = new URLSearchParams({ format, ...query });
  if (jobId === undefined) return `/api/v1/leads?${asked}`;
  if (duplicates) asked.set('duplicates', duplicates);
  return `/api/v1/jobs/scrape/${encodeURIComponent(jobId)}/leads?${asked}`;
}
