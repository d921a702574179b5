import type { paths } from '../../../api/schema';

export type SearchBody = paths['/api/v1/jobs/scrape']['post']['requestBody']['content']['application/json'];

/** The values of the form, as typed. */
export interface Search {
  industry: string;
  geography: string;
  /** Separated by commas or line breaks. */
  keywords: string;
  query: string;
  types: string[];
  /** Source types of external workers, separated by commas. */
  others: string;
  /** Separated by blanks or line breaks. */
  sites: string;
  maxPages: string;
  /** Whether the sites list other organisations. */
  directory: boolean;
  companySize: string;
  revenue: string;
  founded: string;
  country: string;
  language: string;
  exclude: string;
}

export const EMPTY_SEARCH: Search = {
  industry: '',
  geography: '',
  keywords: '',
  query: '',
  types: ['web'],
  others: '',
  sites: '',
  maxPages: '',
  directory: false,
  companySize: '',
  revenue: '',
  founded: '',
  country: '',
  language: '',
  exclude: '',
};

const listed = (text: string, between: RegExp) =>
  text
    .split(between)
    .map((one) => one.trim())
    .filter(Boolean);

const WORDS = /[,\n]/;

const typesOf = ({ types, others }: Search) => [...new Set([...types, ...listed(others, WORDS)])];
export const asksSearchEngine = ({ types }: Search) => types.includes('google') || types.includes('linkedin');
/** Whether a selected source knows facts about companies, such as their size. */
export const knowsCompanies = ({ types }: Search) => types.includes('crunchbase') || types.includes('web');

export function searchBody(search: Search): SearchBody {
  const { industry, geography, query, keywords } = search;
  return {
    ...(industry.trim() && { industry: industry.trim() }),
    ...(geography.trim() && { geography: geography.trim() }),
    ...(query.trim() && { search_query: query.trim() }),
    keywords: listed(keywords, WORDS),
    source_types: typesOf(search),
    filters: filtersOf(search),
  };
}

/** Fields of unselected source types may still hold a value, which is not sent. */
function filtersOf(search: Search): Record<string, unknown> {
  const { types, sites, maxPages, directory, companySize, revenue, founded, country, language, exclude } = search;
  const web = types.includes('web') && {
    sites: listed(sites, /[\s,]+/),
    ...(maxPages.trim() && { maxPages: Number(maxPages) }),
    ...(directory && { directory }),
  };
  const company = knowsCompanies(search) && {
    ...(companySize.trim() && { company_size: companySize.trim() }),
    ...(founded.trim() && { founded: founded.trim() }),
  };
  const engine = asksSearchEngine(search) && {
    ...(language.trim() && { language: language.trim() }),
    ...(exclude.trim() && { exclude: listed(exclude, WORDS) }),
  };
  return {
    ...web,
    ...company,
    ...(types.includes('crunchbase') && revenue.trim() && { revenue: revenue.trim() }),
    ...((company || engine) && country.trim() && { country: country.trim().toLowerCase() }),
    ...engine,
  };
}
