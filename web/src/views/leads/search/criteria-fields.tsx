import { Field } from '../../../design/field';
import type { Search } from './search-body';

export interface SearchFields {
  search: Search;
  onChange: (part: Partial<Search>) => void;
  /** The error that the server returned for a field. */
  mistake: (path: string) => string | undefined;
}

export function CriteriaFields({ search: { industry, geography, keywords, query }, onChange, mistake }: SearchFields) {
  return (
    <>
      <Field label="Industry" hint="For example bakery or software." mistake={mistake('industry')}>
        <input value={industry} onChange={({ target }) => onChange({ industry: target.value })} />
      </Field>
      <Field label="Place" hint="For example Berlin, Germany." mistake={mistake('geography')}>
        <input value={geography} onChange={({ target }) => onChange({ geography: target.value })} />
      </Field>
      <Field
        label="Keywords"
        hint="Separated by commas. A lead must contain at least one. Leave empty to keep all leads."
        mistake={mistake('keywords')}
      >
        <input value={keywords} onChange={({ target }) => onChange({ keywords: target.value })} />
      </Field>
      <Field label="Search query" hint="As you would type it into a search engine." mistake={mistake('search_query')}>
        <input value={query} onChange={({ target }) => onChange({ query: target.value })} />
      </Field>
    </>
  );
}
