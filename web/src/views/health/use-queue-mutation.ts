import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { useAnnounce } from '../../design/announcer';
import { countOf } from '../../design/count-of';

export type QueueAction = 'pause' | 'resume' | 'clean';

export function useQueueMutation() {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: actOn,
    onSuccess: announce,
    onSettled: () => client.invalidateQueries({ queryKey: ['queues'] }),
  });
}

async function actOn({ name, what }: { name: string; what: QueueAction }): Promise<string> {
  const params = { path: { name } };
  if (what === 'clean') {
    const { removed } = await answer(api.POST('/api/v1/queues/{name}/clean', { params }));
    return `${countOf(removed, 'job')} removed from ${name}.`;
  }
  if (what === 'pause') {
    await answer(api.POST('/api/v1/queues/{name}/pause', { params }));
    return `${name} is paused. Running jobs finish; new jobs wait.`;
  }
  await answer(api.POST('/api/v1/queues/{name}/resume', { params }));
  return `${name} is running again.`;
}
