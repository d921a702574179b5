import { useEffect, useState } from 'react';
import { type Draft, emptyDraft, ownZone } from './draft';

interface KeptDraft extends Draft {
  /** Undefined until the user selects accounts. */
  accountIds: string[] | undefined;
}

const newDraft = (): KeptDraft => ({ ...emptyDraft(new Date(), ownZone()), accountIds: undefined });

/** Kept outside the component, so that the draft survives switching views. */
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
