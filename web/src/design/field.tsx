import { cloneElement, type ReactElement, useId } from 'react';

interface Control {
  id?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

interface Props {
  label: string;
  hint?: string | undefined;
  mistake?: string | undefined;
  /** An input, select or textarea. */
  children: ReactElement<Control>;
}

/** A labelled control. An error message replaces the hint. */
export function Field({ label, hint, mistake, children }: Props) {
  const id = useId();
  const message = mistake ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        'aria-describedby': message ? `${id}-message` : undefined,
        'aria-invalid': mistake ? true : undefined,
      })}
      {message && (
        <p id={`${id}-message`} className={mistake ? 'mistake' : 'hint'}>
          {message}
        </p>
      )}
    </div>
  );
}
