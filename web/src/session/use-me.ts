import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../api/client';
import { Problem } from '../api/problem';

/** Who is signed in. Whoever is not goes to sign in and comes back to where they were. */
export function useMe() {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: () => answer(api.GET('/api/v1/users/me')),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (me.error instanceof Problem && me.error.status === 401) goToSignIn();
  return me;
}

export async function signOut(): Promise<void> {
  await answer(api.DELETE('/api/v1/session'));
  goToSignIn('/');
}

function goToSignIn(next = location.pathname + location.search): void {
  location.replace(`/sign-in?next=${encodeURIComponent(next)}`);
}
