type Fields = Record<string, unknown>;

const NAMES = { jobId: 'job_id', sourceType: 'source_type', schemaVersion: 'schema_version' };
const COUNTS = { totalFound: 'total_found' };
const LEAD_NAMES = {
  company_name: 'name',
  companyName: 'name',
  website: 'domain',
  email: 'emails',
  phone: 'phones',
  rawPayload: 'raw',
  raw_payload: 'raw',
  sourceType: 'source_type',
};
const LISTS = ['emails', 'phones'];

const STATUSES = new Map(
  Object.entries({
    running: ['in_progress', 'processing', 'started'],
    completed: ['complete', 'success', 'succeeded', 'done', 'finished', 'ok'],
    failed: ['failure', 'error'],
  }).flatMap(([status, others]) => others.map((other) => [other, status])),
);

/** Brings what a worker unambiguously means into the form of `ScrapeJobResult`, as `adaptAnswer` does for answers. */
export function adaptJobResult(message: unknown): { message: unknown; preferred: string[] } {
  if (!isFields(message)) return { message, preferred: [] };
  const preferred = new Set<string>();
  const result = renamed(message, NAMES, preferred);
  adaptStatus(result, preferred);
  adaptError(result, preferred);
  liftData(result, preferred);
  adaptCounts(result, preferred);
  if (Array.isArray(result.leads)) result.leads = result.leads.map((lead) => adaptLead(lead, preferred));
  return { message: result, preferred: [...preferred] };
}

function adaptStatus(result: Fields, preferred: Set<string>): void {
  if (typeof result.status !== 'string') return;
  const given = result.status.trim().toLowerCase().replace(/[ -]/g, '_');
  const status = STATUSES.get(given) ?? given;
  if (status !== result.status) preferred.add('running, completed, partial or failed as status');
  result.status = status;
}

function adaptError(result: Fields, preferred: Set<string>): void {
  const { error } = result;
  if (!isFields(error)) return;
  preferred.add('error as text');
  result.error = [error.message, error.code].find((text) => typeof text === 'string' && text) ?? JSON.stringify(error);
}

/** Answers to scrape commands have their leads in `data`. */
function liftData(result: Fields, preferred: Set<string>): void {
  const { data } = result;
  if (!isFields(data) || data.leads === undefined || result.leads !== undefined) return;
  preferred.add('leads instead of data.leads');
  result.leads = data.leads;
}

function adaptCounts(result: Fields, preferred: Set<string>): void {
  if (isFields(result.counts)) result.counts = renamed(result.counts, COUNTS, preferred);
  const total = result.total_found ?? result.totalFound;
  if (total === undefined || (result.counts !== undefined && result.counts !== null)) return;
  preferred.add('counts.total_found instead of total_found');
  result.counts = { total_found: total };
}

function adaptLead(given: unknown, preferred: Set<string>): unknown {
  if (!isFields(given)) return given;
  const lead = renamed(given, LEAD_NAMES, preferred);
  for (const name of LISTS) {
    if (typeof lead[name] !== 'string') continue;
    lead[name] = [lead[name]];
    preferred.add(`${name} as a list`);
  }
  return lead;
}

function renamed(given: Fields, names: Record<string, string>, preferred: Set<string>): Fields {
  const fields = { ...given };
  for (const [other, name] of Object.entries(names)) {
    if (fields[other] === undefined || (fields[name] ?? null) !== null) continue;
    fields[name] = fields[other];
    delete fields[other];
    preferred.add(`${name} instead of ${other}`);
  }
  return fields;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
