import { expect, it } from 'vitest';
import { CREDENTIAL_FIELDS, credentialsFrom } from './credential-fields';

const mastodon = CREDENTIAL_FIELDS.mastodon ?? [];

it('leaves out what is optional and empty', () => {
  expect(credentialsFrom(mastodon, { baseUrl: ' https://m.example ', accessToken: 't', maxCharacters: ' ' })).toEqual({
    baseUrl: 'https://m.example',
    accessToken: 't',
  });
});

it('sends a number as one', () => {
  expect(credentialsFrom(mastodon, { maxCharacters: '5000' })).toMatchObject({ maxCharacters: 5000 });
});

it('sends what is missing as empty, so that the server names it', () => {
  expect(credentialsFrom(mastodon, {})).toEqual({ baseUrl: '', accessToken: '' });
});
