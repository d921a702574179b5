import { useState } from 'react';
import type { Publication } from '../publication';
import { Entry } from './entry';

const MAX_ENTRIES = 3;

interface Props {
  publications: Publication[];
  nameOf: (accountId: string) => string;
}

export function HourEntries({ publications, nameOf }: Props) {
  const [all, setAll] = useState(false);
  const shown = all || publications.length <= MAX_ENTRIES ? publications : publications.slice(0, MAX_ENTRIES - 1);
  const more = publications.length - shown.length;
  return (
    <>
      {shown.map((publication) => (
        <Entry key={publication.id} publication={publication} account={nameOf(publication.accountId)} />
      ))}
      {more > 0 && (
        <button type="button" className="more" onClick={() => setAll(true)}>
          {more} more
        </button>
      )}
    </>
  );
}
