import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../../design/announcer';
import { newerOf } from '../known-publications';
import type { Publication } from '../publication';
import { PUBLICATION, PUBLICATIONS } from '../publication-keys';

interface Act<Given> {
  run: (given: Given) => Promise<Publication>;
  /** Said when it is done. */
  said: string;
  after?: () => void;
}

/** Does something to a publication and shows what came of it; where it was refused, what it is like now. */
export function useAct<Given>({ id }: Publication, { run, said, after }: Act<Given>) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: run,
    onSuccess: (now) => {
      client.setQueryData([PUBLICATION, id], newerOf(now));
      void client.invalidateQueries({ queryKey: [PUBLICATIONS] });
      announce(said);
      after?.();
    },
    onError: () => void client.invalidateQueries({ queryKey: [PUBLICATION, id] }),
  });
}
