import { useEffect, useEffectEvent, useState } from 'react';
import { Field } from '../../design/field';
import { type LetterFilter, STATES } from './letter-filter';
import { type DeadLetter, useQueueNames } from './use-dead-letters';

interface Props {
  filter: LetterFilter;
  letters: DeadLetter[];
  onChange: (filter: LetterFilter) => void;
}

const DEBOUNCE_MS = 300;

export function FilterBar({ filter, letters, onChange }: Props) {
  const queues = useQueueNames(letters);
  const [reason, setReason] = useReason(filter, onChange);
  const known = !filter.queue || queues.includes(filter.queue) ? queues : [...queues, filter.queue];
  return (
    <search className="letters-filter">
      <Field label="State">
        <select
          value={filter.state}
          onChange={(event) => onChange({ ...filter, state: event.target.value as LetterFilter['state'] })}
        >
          {STATES.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </select>
      </Field>
      <Field label="Queue">
        <select value={filter.queue} onChange={(event) => onChange({ ...filter, queue: event.target.value })}>
          <option value="">all queues</option>
          {known.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Field label="Reason contains">
        <input type="search" value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </search>
  );
}

function useReason(filter: LetterFilter, onChange: Props['onChange']) {
  const [text, setText] = useState(filter.reason);
  const apply = useEffectEvent(() => {
    if (text.trim() !== filter.reason) onChange({ ...filter, reason: text.trim() });
  });
  useEffect(() => {
    const timer = setTimeout(() => apply(), text ? DEBOUNCE_MS : 0);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}
