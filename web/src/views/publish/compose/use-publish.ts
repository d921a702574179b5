import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { answer, api } from '../../../api/client';
import { useRequestKey } from '../../../api/use-request-key';
import { useAnnounce } from '../../../design/announcer';
import { ACCOUNTS, PLATFORMS, PUBLICATIONS } from '../publication-keys';
import type { NewPublications } from './draft';

export function usePublish(clear: () => void) {
  const key = useRequestKey();
  const client = useQueryClient();
  const announce = useAnnounce();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (body: NewPublications) =>
      answer(api.POST('/api/v1/publications', { body, params: { header: { 'Idempotency-Key': key.keyFor(body) } } })),
    onSuccess: (made, { accountIds, localTime, slot }) => {
      key.done();
      clear();
      for (const known of [PUBLICATIONS, PLATFORMS]) void client.invalidateQueries({ queryKey: [known] });
      const posts = accountIds?.length === 1 ? 'Your post is' : `${accountIds?.length} posts are`;
      announce(`${posts} ${localTime || slot ? 'scheduled' : 'being published'}.`);
      navigate('/publish', { state: { made: 'items' in made ? made.items.map(({ id }) => id) : [made.id] } });
    },
    // The server may have marked an account as broken.
    onError: () => void client.invalidateQueries({ queryKey: [ACCOUNTS] }),
  });
}
