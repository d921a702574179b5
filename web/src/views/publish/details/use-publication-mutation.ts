import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../../design/announcer';
import { newerOf } from '../known-publications';
import type { Publication } from '../publication';
import { PUBLICATION, PUBLICATIONS } from '../publication-keys';

interface Act<Given> {
  run: (given: Given) => Promise<Publication>;
  /** Announced after success. */
  message: string;
  after?: () => void;
}

/** A refused change usually means that the publication has moved on, so it is read again. */
export function usePublicationMutation<Given>({ id }: Publication, { run, message, after }: Act<Given>) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: run,
    onSuccess: (now) => {
      client.setQueryData([PUBLICATION, id], newerOf(now));
      void client.invalidateQueries({ queryKey: [PUBLICATIONS] });
      announce(message);
      after?.();
    },
    onError: () => void client.invalidateQueries({ queryKey: [PUBLICATION, id] }),
  });
}
