import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import type { paths } from '../../api/schema';
import { useAnnounce } from '../../design/announcer';

type Passwords = paths['/api/v1/app-passwords'];
export type AppPassword = Passwords['get']['responses'][200]['content']['application/json']['items'][number];
export type NewAppPassword = Passwords['post']['responses'][201]['content']['application/json'];

const APP_PASSWORDS = 'app-passwords';

export function useAppPasswords() {
  return useQuery({
    queryKey: [APP_PASSWORDS],
    queryFn: async () => (await answer(api.GET('/api/v1/app-passwords'))).items,
  });
}

export function useCreateAppPassword(after: (created: NewAppPassword) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => answer(api.POST('/api/v1/app-passwords', { body: { name } })),
    onSuccess: (created) => {
      void client.invalidateQueries({ queryKey: [APP_PASSWORDS] });
      // The user name is created with the first password.
      void client.invalidateQueries({ queryKey: ['me'] });
      after(created);
    },
  });
}

export function useRevokeAppPassword({ id, name }: AppPassword, after: () => void) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: () => answer(api.DELETE('/api/v1/app-passwords/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      announce(`${name} can no longer sign in.`);
      after();
    },
    onSettled: () => client.invalidateQueries({ queryKey: [APP_PASSWORDS] }),
  });
}
