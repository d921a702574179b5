import { useEffect, useState } from 'react';
import { type Draft, emptyDraft, ownZone } from './draft';

interface KeptDraft extends Draft {
  /** Undefined: nobody has chosen yet. */
  accountIds: string[] | undefined;
}

const newDraft = (): KeptDraft => ({ ...emptyDraft(new Date(), ownZone()), accountIds: undefined });

/** What was typed stays while one looks at something else. */
let kept: KeptDraft | undefined;

export function useDraft() {
  const [draft, setDraft] = useState<KeptDraft>(() => kept ?? newDraft());
  useEffect(() => {
    kept = draft;
  }, [draft]);
  return {
    draft,
    change: (part: Partial<KeptDraft>) => setDraft((before) => ({ ...before, ...part })),
    clear: () => {
      kept = undefined;
      setDraft(newDraft());
    },
  };
}
