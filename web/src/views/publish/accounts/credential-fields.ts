export interface CredentialField {
  name: string;
  label: string;
  hint?: string;
  secret?: true;
  optional?: true;
  number?: true;
}

const accessToken: CredentialField = { name: 'accessToken', label: 'Access token', secret: true };

/** What each platform wants to know of an account. */
export const CREDENTIAL_FIELDS: Record<string, readonly CredentialField[]> = {
  facebook: [
    { name: 'pageId', label: 'Page id' },
    { ...accessToken, hint: 'The page’s own, not that of a person.' },
  ],
  instagram: [{ name: 'userId', label: 'User id' }, accessToken],
  linkedin: [{ name: 'author', label: 'Author', hint: 'urn:li:person:… or urn:li:organization:…' }, accessToken],
  youtube: [
    { name: 'clientId', label: 'Client id' },
    { name: 'clientSecret', label: 'Client secret', secret: true },
    { name: 'refreshToken', label: 'Refresh token', secret: true },
  ],
  mastodon: [
    { name: 'baseUrl', label: 'Address of the instance', hint: 'Such as https://mastodon.social' },
    accessToken,
    {
      name: 'maxCharacters',
      label: 'Longest post',
      hint: 'Where the instance takes more than 500.',
      optional: true,
      number: true,
    },
  ],
  bluesky: [
    { name: 'identifier', label: 'Handle or email', hint: 'Such as you.bsky.social' },
    { name: 'password', label: 'App password', hint: 'Made in the settings there; not your own.', secret: true },
    { name: 'service', label: 'Service', hint: 'Unless it is https://bsky.social', optional: true },
  ],
  webhook: [
    { name: 'url', label: 'Address', hint: 'Gets a POST of JSON for each post.' },
    { name: 'secret', label: 'Secret', hint: 'Signs what is sent.', secret: true },
  ],
};

/** As the API takes them: what is empty and optional is left out. */
export function credentialsFrom(fields: readonly CredentialField[], typed: Record<string, string>) {
  const given = fields.flatMap(({ name, optional, number, secret }) => {
    const value = secret ? (typed[name] ?? '') : (typed[name] ?? '').trim();
    if (optional && !value) return [];
    return [[name, number && Number.isFinite(Number(value)) ? Number(value) : value] as const];
  });
  return Object.fromEntries(given);
}

/** Shown by a field of the forms. */
export const isPlaced = (path: string) => path === 'name' || path.startsWith('credentials.');
