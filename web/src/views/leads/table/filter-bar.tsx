import { SOURCE_TYPES, sourceName } from '../search/source-types';
import type { LeadFilters } from './lead-filters';

interface Props {
  filters: LeadFilters;
  onChange: (filters: LeadFilters) => void;
  /** The source types of one job; undefined in the list of all leads. */
  types: string[] | undefined;
}

export function FilterBar({ filters, onChange, types }: Props) {
  const set = (part: Partial<LeadFilters>) => onChange({ ...filters, ...part });
  return (
    <search className="row" aria-label="Filter leads">
      <input
        type="search"
        className="lead-words"
        aria-label="Search leads"
        placeholder="Search leads"
        value={filters.q}
        maxLength={200}
        onChange={({ target }) => set({ q: target.value })}
      />
      <FirstFoundBy value={filters.sourceType} types={types} onChange={(sourceType) => set({ sourceType })} />
      <label className="lead-filter">
        Country
        <input
          className="lead-country"
          maxLength={2}
          placeholder="de"
          value={filters.country}
          onChange={({ target }) => set({ country: target.value })}
        />
      </label>
      {types && (
        <label className="lead-filter">
          <input
            type="checkbox"
            checked={filters.onlyNew}
            onChange={({ target }) => set({ onlyNew: target.checked })}
          />
          New leads only
        </label>
      )}
    </search>
  );
}

interface TypeProps {
  value: string;
  types: string[] | undefined;
  onChange: (type: string) => void;
}

function FirstFoundBy({ value, types, onChange }: TypeProps) {
  return (
    <label className="lead-filter">
      First found by
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">any</option>
        {(types ?? SOURCE_TYPES.map(({ type }) => type)).map((type) => (
          <option key={type} value={type}>
            {sourceName(type)}
          </option>
        ))}
      </select>
    </label>
  );
}
