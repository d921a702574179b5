import { describe, expect, it } from 'vitest';
import { firstHop, type Hop } from './hop.js';
import { nextHop, permanentUrl } from './redirect.js';

const post = firstHop('https://a.example/form', {
  method: 'POST',
  body: '{}',
  headers: {
    'Content-Type': 'application/json',
    Authorization: 'Bearer t',
    Cookie: 'c=1',
    'X-Api-Key': 'k',
    Accept: 'text/xml',
  },
  validators: { etag: '"1"', lastModified: 'Sun, 01 Mar 2026 12:00:00 GMT' },
});

function redirected(status: number, location: string, from = post): Hop {
  const next = nextHop(from, status, location);
  if (!next) throw new Error('no redirect');
  return next;
}

describe('a redirect', () => {
  it.each([301, 302, 303])('%i turns a POST into a GET without body', (status) => {
    const next = redirected(status, '/done');
    expect(next).toMatchObject({ method: 'GET', body: undefined });
    expect(next.headers).not.toHaveProperty('content-type');
  });

  it.each([307, 308])('%i repeats method and body', (status) => {
    expect(redirected(status, '/done')).toMatchObject({ method: 'POST', body: '{}' });
  });

  it('303 turns a PUT into a GET, 302 does not, and a HEAD stays one', () => {
    expect(redirected(303, '/', { ...post, method: 'PUT' }).method).toBe('GET');
    expect(redirected(302, '/', { ...post, method: 'PUT' }).method).toBe('PUT');
    expect(redirected(303, '/', { ...post, method: 'HEAD' }).method).toBe('HEAD');
  });

  it('is resolved against the address it came from', () => {
    expect(redirected(302, '../x?y=1').url.href).toBe('https://a.example/x?y=1');
    expect(redirected(302, '//b.example').url.href).toBe('https://b.example/');
  });

  it('to an address in raw UTF-8, as its bytes come in, is followed there', () => {
    const asReceived = (address: string) => Buffer.from(address).toString('latin1');
    expect(redirected(301, asReceived('/über/日本')).url.pathname).toBe(encodeURI('/über/日本'));
    expect(redirected(301, asReceived('//bücher.example')).label).toMatch(/^https:\/\/xn--bcher-kva.example /);
    expect(redirected(301, '/caf\xe9').url.pathname).toBe('/caf%C3%A9');
  });

  it('on the same origin keeps every header', () => {
    expect(redirected(307, '/done').headers).toEqual(post.headers);
  });

  it.each(['https://b.example/', 'http://a.example/', 'https://a.example:8443/'])(
    'to %s takes no secret along, but what makes the request conditional',
    (location) => {
      expect(redirected(307, location).headers).toEqual({
        accept: 'text/xml',
        'content-type': 'application/json',
        'if-none-match': '"1"',
        'if-modified-since': 'Sun, 01 Mar 2026 12:00:00 GMT',
      });
    },
  );

  it('needs a location and one of the five statuses', () => {
    expect(nextHop(post, 302, undefined)).toBeUndefined();
    expect(nextHop(post, 304, '/')).toBeUndefined();
    expect(nextHop(post, 200, '/')).toBeUndefined();
  });

  it.each(['ftp://b.example/', 'file:///etc/passwd', 'http://', 'data:text/plain,x'])(
    'to %s is refused',
    (location) => {
      expect(() => nextHop(post, 302, location)).toThrow(expect.objectContaining({ code: 'INVALID_URL' }));
    },
  );
});

describe('where a page has moved for good', () => {
  const chain = (...statuses: number[]) =>
    permanentUrl(statuses.map((status, index) => ({ status, from: `${index}`, to: `${index + 1}` })));

  it('is the end of a permanent chain', () => expect(chain(301, 308)).toBe('2'));
  it('is where the chain stops being permanent', () => expect(chain(301, 302, 301)).toBe('1'));
  it('is nowhere when the first redirect is a passing one', () => expect(chain(302, 301)).toBeUndefined());
  it('is nowhere without a redirect', () => expect(chain()).toBeUndefined());
});
