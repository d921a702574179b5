import { useState } from 'react';
import type { Offer } from './follow';

interface Props {
  offers: Offer[];
  busy: boolean;
  onChoose: (chosen: Offer[]) => void;
  onCancel: () => void;
}

/** A page may name several feeds. The first is what it puts first. */
export function OfferChoice({ offers, busy, onChoose, onCancel }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set(offers.slice(0, 1).map(({ externalId }) => externalId)),
  );
  const toggle = (externalId: string, on: boolean) => {
    const others = [...chosen].filter((one) => one !== externalId);
    setChosen(new Set(on ? [...others, externalId] : others));
  };
  return (
    <fieldset className="offers">
      <legend>This page offers {offers.length} feeds. Which do you want to follow?</legend>
      {offers.map(({ externalId, title }) => (
        <label key={externalId} className="offer">
          <input
            type="checkbox"
            checked={chosen.has(externalId)}
            onChange={(event) => toggle(externalId, event.target.checked)}
          />
          <span>
            {title ?? 'Without a title'} <span className="small soft">{externalId}</span>
          </span>
        </label>
      ))}
      <div className="row">
        <button
          type="button"
          className="primary"
          disabled={busy || !chosen.size}
          onClick={() => onChoose(offers.filter(({ externalId }) => chosen.has(externalId)))}
        >
          {busy ? 'Following …' : 'Follow chosen'}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </fieldset>
  );
}
