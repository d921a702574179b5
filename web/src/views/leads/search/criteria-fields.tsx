import { Field } from '../../../design/field';
import type { Search } from './search-body';

export interface SearchFields {
  search: Search;
  onChange: (part: Partial<Search>) => void;
  /** What the server said of a field. */
  mistake: (path: string) => string | undefined;
}

export function CriteriaFields({ search: { industry, geography, keywords, query }, onChange, mistake }: SearchFields) {
  return (
    <>
      <Field label="Industry" hint="Such as bakery, or software." mistake={mistake('industry')}>
        <input value={industry} onChange={({ target }) => onChange({ industry: target.value })} />
      </Field>
      <Field label="Place" hint="Such as Berlin, Germany." mistake={mistake('geography')}>
        <input value={geography} onChange={({ target }) => onChange({ geography: target.value })} />
      </Field>
      <Field
        label="Keywords"
        hint="Between commas. A lead is kept if one of them occurs in it; without any, all are."
        mistake={mistake('keywords')}
      >
        <input value={keywords} onChange={({ target }) => onChange({ keywords: target.value })} />
      </Field>
      <Field label="Search words" hint="As you would type them into a search engine." mistake={mistake('search_query')}>
        <input value={query} onChange={({ target }) => onChange({ query: target.value })} />
      </Field>
    </>
  );
}
