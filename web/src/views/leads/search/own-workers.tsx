import { Field } from '../../../design/field';
import type { SearchFields } from './criteria-fields';
import { refusalOf } from './source-type-choice';
import { SOURCE_TYPES } from './source-types';

/** Source types that are searched by external workers. */
export function OwnWorkers({ search: { others }, onChange, mistake, sentTypes }: SearchFields & { sentTypes: string[] }) {
  const own = sentTypes.filter((type) => !SOURCE_TYPES.some((one) => one.type === type));
  const refusal = own.map((type) => refusalOf(type, sentTypes, mistake)).find((message) => message !== undefined);
  return (
    <Field
      label="Your own workers"
      hint="Source types of connected workers, separated by commas."
      mistake={refusal}
    >
      <input value={others} onChange={({ target }) => onChange({ others: target.value })} />
    </Field>
  );
}
