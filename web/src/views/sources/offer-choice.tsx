import { useState } from 'react';
import type { Offer } from './follow';

interface Props {
  offers: Offer[];
  busy: boolean;
  onChoose: (chosen: Offer[]) => void;
  onCancel: () => void;
}

/** Preselects the first feed that the page lists. */
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
      <legend>This page has {offers.length} feeds. Which ones do you want to follow?</legend>
      {offers.map(({ externalId, title }) => (
        <label key={externalId} className="offer">
          <input
            type="checkbox"
            checked={chosen.has(externalId)}
            onChange={(event) => toggle(externalId, event.target.checked)}
          />
          <span>
            {title ?? 'Untitled'} <span className="small soft">{externalId}</span>
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
          {busy ? 'Following …' : 'Follow selected'}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </fieldset>
  );
}
