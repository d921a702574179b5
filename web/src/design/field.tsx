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

/** A control with its name, what it wants, and what is wrong with what it got. */
export function Field({ label, hint, mistake, children }: Props) {
  const id = useId();
  const told = mistake ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        'aria-describedby': told ? `${id}-told` : undefined,
        'aria-invalid': mistake ? true : undefined,
      })}
      {told && (
        <p id={`${id}-told`} className={mistake ? 'mistake' : 'hint'}>
          {told}
        </p>
      )}
    </div>
  );
}
