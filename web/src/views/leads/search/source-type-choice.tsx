import type { SearchFields } from './criteria-fields';
import { SOURCE_TYPES } from './source-types';

/** `asked`: what was sent, whose places the server's refusals name. */
export function SourceTypeChoice({ search, onChange, mistake, asked }: SearchFields & { asked: string[] }) {
  const { types } = search;
  const toggle = (type: string) =>
    onChange({ types: types.includes(type) ? types.filter((one) => one !== type) : [...types, type] });
  const refusal = (type: string) => refusalOf(type, asked, mistake);
  return (
    <fieldset className="source-types">
      <legend>Where to look</legend>
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

export const refusalOf = (type: string, asked: string[], mistake: SearchFields['mistake']) =>
  asked.includes(type) ? mistake(`source_types.${asked.indexOf(type)}`) : undefined;
