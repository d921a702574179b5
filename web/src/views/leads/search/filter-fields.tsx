import { Field } from '../../../design/field';
import type { SearchFields } from './criteria-fields';
import { asksSearchEngine } from './search-body';

/** Filters that apply only to some source types. */
export function FilterFields({ search, onChange, mistake }: SearchFields) {
  const { types, sites, maxPages } = search;
  return (
    <>
      {types.includes('web') && (
        <>
          <Field label="Sites" hint="Up to 50 URLs or domains, one per line." mistake={mistake('filters.sites')}>
            <textarea
              value={sites}
              rows={4}
              spellCheck={false}
              placeholder="bakery.example"
              onChange={({ target }) => onChange({ sites: target.value })}
            />
          </Field>
          <Field label="Pages per site" hint="1 to 20. The default is 20." mistake={mistake('filters.maxPages')}>
            <input
              type="number"
              min={1}
              max={20}
              value={maxPages}
              onChange={({ target }) => onChange({ maxPages: target.value })}
            />
          </Field>
        </>
      )}
      {asksSearchEngine(search) && <EngineFields {...{ search, onChange, mistake }} />}
    </>
  );
}

function EngineFields({ search: { country, language, exclude }, onChange, mistake }: SearchFields) {
  return (
    <div className="search-filters">
      <Field label="Country" hint="Two letters, for example de." mistake={mistake('filters.country')}>
        <input value={country} maxLength={2} onChange={({ target }) => onChange({ country: target.value })} />
      </Field>
      <Field label="Language" hint="For example de or pt-BR." mistake={mistake('filters.language')}>
        <input value={language} onChange={({ target }) => onChange({ language: target.value })} />
      </Field>
      <Field label="Exclude" hint="Words or sites, separated by commas." mistake={mistake('filters.exclude')}>
        <input value={exclude} onChange={({ target }) => onChange({ exclude: target.value })} />
      </Field>
    </div>
  );
}
