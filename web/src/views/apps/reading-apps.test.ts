import { expect, it } from 'vitest';
import { readingApps } from './reading-apps';

const signIn = { address: 'https://reader.example', userName: 'anna', password: 'abcd-efgh' };

it('names the address of the API that each app speaks', () => {
  const servers = Object.fromEntries(readingApps(signIn).map(({ name, settings }) => [name, settings[0]?.value]));
  expect(servers).toMatchObject({
    NetNewsWire: 'https://reader.example/api/greader.php',
    'RSS Guard': 'https://reader.example',
    'Unread, Fiery Feeds, lire': 'https://reader.example/fever/',
    'ReactFlux, nextflux': 'https://reader.example',
  });
});

it('shows a password only if it is known', () => {
  const passwordOf = (password: string | undefined) =>
    readingApps({ ...signIn, password })[0]?.settings.find(({ label }) => label === 'Password')?.value;
  expect(passwordOf('abcd-efgh')).toBe('abcd-efgh');
  expect(passwordOf(undefined)).toBe('the app password');
});
