export interface Setting {
  label: string;
  value: string;
}

export interface ReadingApp {
  name: string;
  /** The kind of account to choose in the app. */
  account: string;
  settings: Setting[];
}

export interface SignIn {
  /** The address of this Millrace, without a slash at its end. */
  address: string;
  userName: string;
  /** Undefined unless the password was created a moment ago: it is shown only once. */
  password: string | undefined;
}

const HIDDEN = 'the app password';

/** What to enter in each app. `docs/apps.md` has the same list. */
export function readingApps(signIn: SignIn): ReadingApp[] {
  const { address, userName, password = HIDDEN } = signIn;
  const login = [
    { label: 'User name', value: userName },
    { label: 'Password', value: password },
  ];
  const googleReader = [{ label: 'Server', value: `${address}/api/greader.php` }, ...login];
  const fever = [{ label: 'Server', value: `${address}/fever/` }, ...login];
  return [
    { name: 'NetNewsWire', account: 'FreshRSS', settings: googleReader },
    { name: 'Reeder Classic', account: 'FreshRSS', settings: googleReader },
    { name: 'Read You', account: 'FreshRSS', settings: googleReader },
    { name: 'Capy Reader', account: 'FreshRSS', settings: googleReader },
    { name: 'FeedMe', account: 'FreshRSS', settings: googleReader },
    { name: 'Fluent Reader', account: 'Google Reader API', settings: googleReader },
    {
      name: 'RSS Guard',
      account: 'Google Reader API, service FreshRSS',
      settings: [{ label: 'Server', value: address }, ...login],
    },
    { name: 'Liferea', account: 'Google Reader API', settings: googleReader },
    { name: 'newsboat', account: 'Lines of its file config', settings: newsboat(address, userName, password) },
    { name: 'Unread, Fiery Feeds, lire', account: 'Fever', settings: fever },
    {
      name: 'ReactFlux, nextflux',
      account: 'Miniflux',
      settings: [
        { label: 'Server', value: address },
        { label: 'API token', value: password },
      ],
    },
  ];
}

function newsboat(address: string, userName: string, password: string): Setting[] {
  return [
    { label: 'urls-source', value: '"miniflux"' },
    { label: 'miniflux-url', value: `"${address}"` },
    { label: 'miniflux-login', value: `"${userName}"` },
    { label: 'miniflux-password', value: `"${password}"` },
  ];
}
