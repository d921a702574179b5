/** And back to where one was. */
export function goToSignIn(next = location.pathname + location.search): void {
  location.replace(`/sign-in?next=${encodeURIComponent(next)}`);
}
