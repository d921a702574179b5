import { Problem } from '../../../api/problem';
import { Field } from '../../../design/field';
import type { CredentialField } from './credential-fields';

interface Props {
  fields: readonly CredentialField[];
  typed: Record<string, string>;
  onChange: (typed: Record<string, string>) => void;
  error: Error | null;
}

export function CredentialInputs({ fields, typed, onChange, error }: Props) {
  return fields.map(({ name, label, hint, secret, optional, number }) => (
    <Field
      key={name}
      label={optional ? `${label} (optional)` : label}
      hint={hint}
      mistake={error instanceof Problem ? error.of(`credentials.${name}`) : undefined}
    >
      <input
        type={secret ? 'password' : 'text'}
        inputMode={number ? 'numeric' : undefined}
        autoComplete="off"
        spellCheck={false}
        required={!optional}
        value={typed[name] ?? ''}
        onChange={({ target }) => onChange({ ...typed, [name]: target.value })}
      />
    </Field>
  ));
}
