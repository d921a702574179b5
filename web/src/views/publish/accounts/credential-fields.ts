export interface CredentialField {
  name: string;
  label: string;
  hint?: string;
  secret?: true;
  optional?: true;
  number?: true;
}

const accessToken: CredentialField = { name: 'accessToken', label: 'Access token', secret: true };

export const CREDENTIAL_FIELDS: Record<string, readonly CredentialField[]> = {
  facebook: [
    { name: 'pageId', label: 'Page ID' },
    { ...accessToken, hint: 'A page token, not a personal one.' },
  ],
  instagram: [{ name: 'userId', label: 'User ID' }, accessToken],
  linkedin: [{ name: 'author', label: 'Author', hint: 'urn:li:person:… or urn:li:organization:…' }, accessToken],
  youtube: [
    { name: 'clientId', label: 'Client ID' },
    { name: 'clientSecret', label: 'Client secret', secret: true },
    { name: 'refreshToken', label: 'Refresh token', secret: true },
  ],
  mastodon: [
    { name: 'baseUrl', label: 'Instance URL', hint: 'For example https://mastodon.social' },
    accessToken,
    {
      name: 'maxCharacters',
      label: 'Maximum characters',
      hint: 'Set this if the instance allows more than 500.',
      optional: true,
      number: true,
    },
  ],
  bluesky: [
    { name: 'identifier', label: 'Handle or email', hint: 'For example you.bsky.social' },
    {
      name: 'password',
      label: 'App password',
      hint: 'Create one in the Bluesky settings. Do not use your account password.',
      secret: true,
    },
    { name: 'service', label: 'Service URL', hint: 'The default is https://bsky.social', optional: true },
  ],
  webhook: [
    { name: 'url', label: 'URL', hint: 'Receives an HTTP POST with JSON for each post.' },
    { name: 'secret', label: 'Secret', hint: 'Used to sign each request.', secret: true },
  ],
};

/** Empty optional fields are left out. */
export function credentialsFrom(fields: readonly CredentialField[], typed: Record<string, string>) {
  const given = fields.flatMap(({ name, optional, number, secret }) => {
    const value = secret ? (typed[name] ?? '') : (typed[name] ?? '').trim();
    if (optional && !value) return [];
    return [[name, number && Number.isFinite(Number(value)) ? Number(value) : value] as const];
  });
  return Object.fromEntries(given);
}

export const isPlaced = (path: string) => path === 'name' || path.startsWith('credentials.');
