import { Field } from '../../../design/field';
import type { SearchFields } from './criteria-fields';
import { SOURCE_TYPES } from './source-types';

/** `sentTypes` is what was submitted; the server's errors refer to positions in it. */
export function SourceTypeChoice({ search, onChange, mistake, sentTypes }: SearchFields & { sentTypes: string[] }) {
  const { types } = search;
  const toggle = (type: string) =>
    onChange({ types: types.includes(type) ? types.filter((one) => one !== type) : [...types, type] });
  const refusal = (type: string) => refusalOf(type, sentTypes, mistake);
  return (
    <fieldset className="source-types">
      <legend>Sources</legend>
      {SOURCE_TYPES.map(({ type, name, about }) => (
        <div key={type}>
          <label>
            <input
              type="checkbox"
              checked={types.includes(type)}
              onChange={() => toggle(type)}
              aria-describedby={`about-${type}`}
            />
            {name}
          </label>
          <p id={`about-${type}`} className={refusal(type) ? 'mistake' : 'hint'}>
            {refusal(type) ?? about}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

const refusalOf = (type: string, sentTypes: string[], mistake: SearchFields['mistake']) =>
  sentTypes.includes(type) ? mistake(`source_types.${sentTypes.indexOf(type)}`) : undefined;

/** Source types that are searched by external workers. */
export function OwnWorkers({
  search: { others },
  onChange,
  mistake,
  sentTypes,
}: SearchFields & { sentTypes: string[] }) {
  const own = sentTypes.filter((type) => !SOURCE_TYPES.some((one) => one.type === type));
  const refusal = own.map((type) => refusalOf(type, sentTypes, mistake)).find((message) => message !== undefined);
  return (
    <Field label="Your own workers" hint="Source types of connected workers, separated by commas." mistake={refusal}>
      <input value={others} onChange={({ target }) => onChange({ others: target.value })} />
    </Field>
  );
}
