import { Field } from '../../../design/field';
import type { SearchFields } from './criteria-fields';
import { asksSearchEngine, knowsCompanies } from './search-body';

/** Filters that apply only to some source types. */
export function FilterFields({ search, onChange, mistake }: SearchFields) {
  const { types, sites, maxPages, directory } = search;
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
          <label>
            <input
              type="checkbox"
              checked={directory}
              onChange={({ target }) => onChange({ directory: target.checked })}
            />
            The sites are directories: find the organisations that they list
          </label>
        </>
      )}
      {knowsCompanies(search) && <CompanyFields {...{ search, onChange, mistake }} />}
      {(knowsCompanies(search) || asksSearchEngine(search)) && (
        <Field label="Country" hint="Two letters, for example de." mistake={mistake('filters.country')}>
          <input value={search.country} maxLength={2} onChange={({ target }) => onChange({ country: target.value })} />
        </Field>
      )}
      {asksSearchEngine(search) && <EngineFields {...{ search, onChange, mistake }} />}
    </>
  );
}

function CompanyFields({ search, onChange, mistake }: SearchFields) {
  const { types, companySize, revenue, founded } = search;
  return (
    <div className="search-filters">
      <Field label="Employees" hint="For example 11-50 or 1000+." mistake={mistake('filters.company_size')}>
        <input value={companySize} onChange={({ target }) => onChange({ companySize: target.value })} />
      </Field>
      <Field label="Founded" hint="For example 2010-2020 or 2015+." mistake={mistake('filters.founded')}>
        <input value={founded} onChange={({ target }) => onChange({ founded: target.value })} />
      </Field>
      {types.includes('crunchbase') && (
        <Field label="Revenue" hint="US dollars a year, for example 1M-10M." mistake={mistake('filters.revenue')}>
          <input value={revenue} onChange={({ target }) => onChange({ revenue: target.value })} />
        </Field>
      )}
    </div>
  );
}

function EngineFields({ search: { language, exclude }, onChange, mistake }: SearchFields) {
  return (
    <div className="search-filters">
      <Field label="Language" hint="For example de or pt-BR." mistake={mistake('filters.language')}>
        <input value={language} onChange={({ target }) => onChange({ language: target.value })} />
      </Field>
      <Field label="Exclude" hint="Words or sites, separated by commas." mistake={mistake('filters.exclude')}>
        <input value={exclude} onChange={({ target }) => onChange({ exclude: target.value })} />
      </Field>
    </div>
  );
}
