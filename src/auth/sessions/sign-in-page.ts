import type { PlainPage } from '../../platform/api/plain-page.js';

/** `next` has been checked and holds no quotes or brackets. */
export function signInPage({ next, mistake }: { next: string; mistake?: string }): PlainPage {
  return {
    title: 'Sign in · Millrace',
    status: mistake ? 401 : 200,
    content: `<h1>Sign in to Millrace</h1>
${mistake ? `<p role="alert" id="mistake">${mistake}</p>` : ''}
<form method="post" action="/sign-in">
<label for="key">Key</label>
<input id="key" name="key" type="password" autocomplete="current-password" required autofocus${mistake ? ' aria-describedby="mistake" aria-invalid="true"' : ''}>
<input type="hidden" name="next" value="${next.replaceAll('&', '&amp;')}">
<button>Sign in</button>
</form>
<p>The first key is in the file <code>admin-key</code> of the data folder. A new sign-in link is printed at every start.</p>`,
  };
}
