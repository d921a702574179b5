import { useMemo } from 'react';
import { countOf } from '../../design/count-of';
import { type Arrangement, ORDERS, type Order } from './arrange-sources';
import { foldersOf } from './folders';
import type { ConditionState, Source } from './source';

const STATES: ConditionState[] = ['ok', 'failing', 'waiting', 'paused', 'gone'];

interface Props {
  sources: Source[];
  shown: number;
  arrangement: Arrangement;
  onChange: (arrangement: Arrangement) => void;
}

export function SourcesFilter({ sources, shown, arrangement, onChange }: Props) {
  const folders = useMemo(() => foldersOf(sources), [sources]);
  const change = (part: Partial<Arrangement>) => onChange({ ...arrangement, ...part });
  const inState = (state: ConditionState) => sources.filter(({ condition }) => condition.state === state).length;
  return (
    <div className="sources-filter">
      <input
        type="search"
        aria-label="Filter sources"
        placeholder="Name, URL or folder"
        value={arrangement.text}
        onChange={(event) => change({ text: event.target.value })}
        onKeyDown={(event) => event.key === 'Escape' && change({ text: '' })}
      />
      <Choice
        label="State"
        value={arrangement.state}
        choices={[['', 'Any state'], ...STATES.map((state) => [state, `${state} (${inState(state)})`] as const)]}
        onChoose={(state) => change({ state })}
      />
      <Choice
        label="Folder"
        value={arrangement.folder}
        choices={[['', 'Any folder'], ...folders.map((folder) => [folder, folder] as const)]}
        onChoose={(folder) => change({ folder })}
      />
      <Choice
        label="Sort by"
        value={arrangement.order}
        choices={Object.entries(ORDERS) as [Order, string][]}
        onChoose={(order) => change({ order })}
      />
      <p className="small soft" role="status">
        {shown === sources.length ? countOf(shown, 'source') : `${shown} of ${countOf(sources.length, 'source')}`}
      </p>
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  choices: (readonly [Value, string])[];
  onChoose: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, choices, onChoose }: ChoiceProps<Value>) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChoose(event.target.value as Value)}>
      {choices.map(([choice, words]) => (
        <option key={choice} value={choice}>
          {words}
        </option>
      ))}
    </select>
  );
}
