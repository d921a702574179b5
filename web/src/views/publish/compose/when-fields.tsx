import { Field } from '../../../design/field';
import { ZoneSelect } from '../zone-select';
import type { Draft, Priority } from './draft';
import type { Refusals } from './refusals';
import { timeHint } from './time-hint';

interface Props {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
  /** The available choices with their labels. */
  ways: Partial<Record<Draft['when'], string>>;
  /** Why no slot can be chosen. */
  slotHint?: string | undefined;
  refusals: Refusals;
}

export function WhenFields({ draft, onChange, ways, slotHint, refusals }: Props) {
  const { when } = draft;
  return (
    <>
      <fieldset className="choices">
        <legend>When</legend>
        {Object.entries(ways).map(([way, name]) => (
          <label key={way} className="choice">
            <input
              type="radio"
              name="when"
              value={way}
              checked={when === way}
              disabled={way === 'slot' && slotHint !== undefined}
              onChange={() => onChange({ when: way as Draft['when'] })}
            />
            <span>{name}</span>
          </label>
        ))}
        {slotHint && <p className="hint">{slotHint}</p>}
      </fieldset>
      {when === 'time' && <TimeFields {...{ draft, onChange, refusals }} />}
      <UrgencyFields {...{ draft, onChange, refusals }} />
    </>
  );
}

type Part = Pick<Props, 'draft' | 'onChange' | 'refusals'>;

function TimeFields({ draft: { localTime, timezone }, onChange, refusals }: Part) {
  return (
    <div className="two-columns">
      <Field label="Time" hint={timeHint(localTime, timezone)} mistake={refusals.ofField('localTime')}>
        <input
          type="datetime-local"
          required
          value={localTime}
          onChange={({ target }) => onChange({ localTime: target.value })}
        />
      </Field>
      <Field label="Time zone" mistake={refusals.ofField('timezone')}>
        <ZoneSelect value={timezone} onChange={(zone) => onChange({ timezone: zone })} />
      </Field>
    </div>
  );
}

function UrgencyFields({ draft: { priority, expires }, onChange, refusals }: Part) {
  return (
    <div className="two-columns">
      <Field label="Priority" hint="Higher priority is published first.">
        <select value={priority} onChange={({ target }) => onChange({ priority: target.value as Priority })}>
          <option value="high">High</option>
          <option value="normal">Normal</option>
          <option value="low">Low</option>
        </select>
      </Field>
      <Field label="Expires" hint="In your time zone. Leave empty for never." mistake={refusals.ofField('expiresAt')}>
        <input type="datetime-local" value={expires} onChange={({ target }) => onChange({ expires: target.value })} />
      </Field>
    </div>
  );
}
