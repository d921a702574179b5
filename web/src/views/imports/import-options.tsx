import { useId } from 'react';

export const NO_OPTIONS = { follow: false, full: false, jobs: false };
type Options = typeof NO_OPTIONS;

const CHOICES: [name: keyof Options, label: string, means: string][] = [
  [
    'follow',
    'Also follow the feeds',
    'New posts appear in your feed. Titles and folders are taken from the OPML file.',
  ],
  ['full', 'Include archives', 'Also loads older posts where a feed offers them. This may take a while.'],
  ['jobs', 'These are job boards', 'Also stores company, location, salary and similar fields of each item.'],
];

export function ImportOptions({ value, onChange }: { value: Options; onChange: (value: Options) => void }) {
  const id = useId();
  return (
    <fieldset className="import-options">
      <legend className="hidden">Options</legend>
      {CHOICES.map(([name, label, means]) => (
        <div key={name} className="import-choice">
          <input
            type="checkbox"
            id={`${id}-${name}`}
            aria-describedby={`${id}-${name}-means`}
            checked={value[name]}
            onChange={(event) => onChange({ ...value, [name]: event.target.checked })}
          />
          <div>
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <p id={`${id}-${name}-means`} className="hint">
              {means}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
