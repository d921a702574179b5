import { useQuery } from '@tanstack/react-query';
import { answer, api, goToSignIn } from '../api/client';

export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: () => answer(api.GET('/api/v1/users/me')),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export async function signOut(): Promise<void> {
  await answer(api.DELETE('/api/v1/session'));
  goToSignIn('/');
}
