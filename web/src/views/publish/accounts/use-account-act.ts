import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../../design/announcer';
import { ACCOUNTS, PUBLICATIONS } from '../publication-keys';

/** Does something to an account, says what came of it, and shows the accounts anew in any case. */
export function useAccountAct<Given, Made>(run: (given: Given) => Promise<Made>, said: (made: Made) => string) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: run,
    onSuccess: (made) => announce(said(made)),
    onSettled: () => {
      for (const key of [ACCOUNTS, PUBLICATIONS]) void client.invalidateQueries({ queryKey: [key] });
    },
  });
}
