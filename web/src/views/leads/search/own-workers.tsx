import { Field } from '../../../design/field';
import type { SearchFields } from './criteria-fields';
import { refusalOf } from './source-type-choice';
import { SOURCE_TYPES } from './source-types';

/** Source types that workers of somebody's own search. */
export function OwnWorkers({ search: { others }, onChange, mistake, asked }: SearchFields & { asked: string[] }) {
  const own = asked.filter((type) => !SOURCE_TYPES.some((one) => one.type === type));
  const refusal = own.map((type) => refusalOf(type, asked, mistake)).find((told) => told !== undefined);
  return (
    <Field
      label="Workers of your own"
      hint="Their source types, between commas, if some are connected."
      mistake={refusal}
    >
      <input value={others} onChange={({ target }) => onChange({ others: target.value })} />
    </Field>
  );
}
