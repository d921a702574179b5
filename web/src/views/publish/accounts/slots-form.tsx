import { type FormEvent, useState } from 'react';
import { answer, api } from '../../../api/client';
import { Problem } from '../../../api/problem';
import { Field } from '../../../design/field';
import { ProblemNote } from '../../../design/problem-note';
import { ownZone } from '../compose/draft';
import { ZoneSelect } from '../zone-select';
import { DAY_NAMES, DAYS, type Day, type SlotRules } from './slot-times';
import { useAccountMutation } from './use-account-mutation';
import type { Account } from './use-accounts';

type Rule = SlotRules['times'][number];

interface KeyedRule extends Rule {
  key: number;
}

const WEEKDAYS: Rule = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], time: '09:00' };

export function SlotsForm({ account, onEnd }: { account: Account; onEnd: () => void }) {
  const [timezone, setTimezone] = useState(account.slots?.timezone ?? ownZone());
  const [rules, setRules] = useState<KeyedRule[]>(() =>
    (account.slots?.times ?? [WEEKDAYS]).map((rule, key) => ({ ...rule, key })),
  );
  const save = useSaveSlots(account);

  function submit(event: FormEvent) {
    event.preventDefault();
    const times = rules.map(({ days, time }) => ({ days, time }));
    save.mutate(times.length ? { timezone, times } : null, { onSuccess: onEnd });
  }

  const put = (at: number, rule: KeyedRule) => setRules(rules.map((old, place) => (place === at ? rule : old)));
  const add = () => setRules([...rules, { ...WEEKDAYS, key: Math.max(0, ...rules.map(({ key }) => key)) + 1 }]);
  return (
    <form className="edit" onSubmit={submit} aria-label={`Slots of ${account.name}`}>
      <Field label="Time zone">
        <ZoneSelect value={timezone} onChange={setTimezone} />
      </Field>
      {rules.map((rule, at) => (
        <SlotRule
          key={rule.key}
          {...{ rule, nr: at + 1 }}
          mistake={save.error instanceof Problem ? save.error.of(`slots.times.${at}`) : undefined}
          onChange={(changed) => put(at, { ...changed, key: rule.key })}
          onRemove={() => setRules(rules.toSpliced(at, 1))}
        />
      ))}
      {rules.length === 0 && <p className="soft">Without times the account has no slots.</p>}
      {save.error && <ProblemNote error={save.error} />}
      <SlotButtons isPending={save.isPending} onAdd={add} onEnd={onEnd} />
    </form>
  );
}

function useSaveSlots(account: Account) {
  return useAccountMutation(
    (slots: SlotRules | null) =>
      answer(
        api.PATCH('/api/v1/accounts/{id}', { params: { path: { id: account.id } }, body: { slots, check: false } }),
      ),
    ({ slots }) => (slots ? `Slots of ${account.name} saved.` : `Slots of ${account.name} removed.`),
  );
}

interface ButtonProps {
  isPending: boolean;
  onAdd: () => void;
  onEnd: () => void;
}

function SlotButtons({ isPending, onAdd, onEnd }: ButtonProps) {
  return (
    <div className="row">
      <button type="submit" className="primary" disabled={isPending}>
        {isPending ? 'Saving …' : 'Save slots'}
      </button>
      <button type="button" onClick={onAdd}>
        Add time
      </button>
      <button type="button" className="quiet" onClick={onEnd}>
        Discard changes
      </button>
    </div>
  );
}

interface Props {
  rule: Rule;
  nr: number;
  mistake: string | undefined;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
}

function SlotRule({ rule: { days, time }, nr, mistake, onChange, onRemove }: Props) {
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
