import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../../design/announcer';
import { ACCOUNTS, PUBLICATIONS } from '../publication-keys';

/** Accounts are reloaded even after an error, because a failed check changes their state. */
export function useAccountMutation<Given, Made>(run: (given: Given) => Promise<Made>, message: (made: Made) => string) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: run,
    onSuccess: (made) => announce(message(made)),
    onSettled: () => {
      for (const key of [ACCOUNTS, PUBLICATIONS]) void client.invalidateQueries({ queryKey: [key] });
    },
  });
}
