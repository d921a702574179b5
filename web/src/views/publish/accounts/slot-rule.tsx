import { DAY_NAMES, DAYS, type Day, type SlotRules } from './slot-times';

type Rule = SlotRules['times'][number];

interface Props {
  rule: Rule;
  nr: number;
  mistake: string | undefined;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
}

export function SlotRule({ rule: { days, time }, nr, mistake, onChange, onRemove }: Props) {
  const toggle = (day: Day) => DAYS.filter((one) => (one === day ? !days.includes(one) : days.includes(one)));
  return (
    <fieldset className="slot-rule">
      <legend className="hidden">Time {nr}</legend>
      <input
        type="time"
        required
        aria-label={`Time ${nr}`}
        value={time}
        onChange={({ target }) => onChange({ days, time: target.value })}
      />
      {DAYS.map((day) => (
        <label key={day} className="choice">
          <input type="checkbox" checked={days.includes(day)} onChange={() => onChange({ days: toggle(day), time })} />
          <span title={DAY_NAMES[day]}>{DAY_NAMES[day].slice(0, 3)}</span>
        </label>
      ))}
      <button type="button" className="quiet" aria-label={`Remove time ${nr}`} onClick={onRemove}>
        ✕
      </button>
      {mistake && <p className="mistake">{mistake}</p>}
    </fieldset>
  );
}
