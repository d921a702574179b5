/** After signing in, the user returns to `next`. */
export function goToSignIn(next = location.pathname + location.search): void {
  location.replace(`/sign-in?next=${encodeURIComponent(next)}`);
}
