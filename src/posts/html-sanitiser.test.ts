import { pino } from 'pino';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { HtmlSanitiser } from './html-sanitiser.js';

/** Each further paragraph repeats all elements: little text, millions of elements. */
const BOMB = `<p>${Array.from({ length: 1_000 }, (_, at) => `<b x=${at}>`).join('')}${'<p>boom '.repeat(20_000)}`;

/** Limits count CPU time, so reaching one takes long on a busy machine. */
const BUSY_MS = 240_000;

describe('HtmlSanitiser', () => {
  const lines: { msg: string }[] = [];
  const sanitiser = new HtmlSanitiser(pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) }));
  afterAll(() => sanitiser.onApplicationShutdown());

  it('answers in the order of the posts, over many batches', async () => {
    const plainAndNot = (at: number) => (at % 2 ? `<p>${at}</p>` : `<p class="x">${at}${' '.repeat(10_000)}</p>`);
    const posts = Array.from({ length: 300 }, (_, at) => ({ html: plainAndNot(at) }));
    const made = await sanitiser.make(posts);
    expect(made.map(({ text }) => text)).toEqual(posts.map((_, at) => `${at}`));
    expect(await sanitiser.make([])).toEqual([]);
  });

  it('shows a post that no thread can do as text, and does the others', { timeout: BUSY_MS }, async () => {
    const made = await sanitiser.make([
      { html: '<b>one</b>' },
      { html: BOMB },
      { html: '<a href="/x">two</a>', base: 'https://e.org' },
    ]);
    expect(made[0]?.html).toBe('<b>one</b>');
    expect(made[1]?.html).toMatch(/^<p>boom boom/);
    expect(made[2]?.html).toContain('href="https://e.org/x"');
    expect(lines.map(({ msg }) => msg)).toContain('Could not sanitise a post, showing it as text');
  });

  it('shows the rest of a document as text when it has taken too long in all', { timeout: BUSY_MS }, async () => {
    const impatient = new HtmlSanitiser(pino({ level: 'silent' }), 200);
    onTestFinished(() => impatient.onApplicationShutdown());
    // Each of them takes some hundred milliseconds.
    const slow = `<p>${Array.from({ length: 50 }, (_, at) => `<b x=${at}>`).join('')}${'<p>slow '.repeat(1_500)}`;
    const posts = Array.from({ length: 60 }, (_, at) => ({ html: `${slow}<a href="https://e.org/${at}">${at}</a>` }));
    const made = await impatient.make(posts);
    expect(made[0]?.html).toContain('<a href="https://e.org/0"');
    expect(made.at(-1)?.html).toMatch(/^<p>slow slow .*59<\/p>$/);
  });

  it('takes links away that lead to no host', async () => {
    const hosts = ['http://1.2.3.4.5/', 'http://10.0.0.300/', 'https://foo.123/', 'https://xn--a/'];
    const made = await sanitiser.make(hosts.map((href) => ({ html: `<p>See <a href="${href}">it</a></p>` })));
    expect(made.map(({ html }) => html)).toEqual(hosts.map(() => '<p>See <a>it</a></p>'));
  });

  it('needs no thread for what most feeds contain', async () => {
    const closed = new HtmlSanitiser(pino({ level: 'silent' }));
    await closed.onApplicationShutdown();
    const contents = [
      'words &amp; <b class="x">bold words</b>',
      'words alone',
      '<p class="x">A <a href="/y" target="_blank">link</a></p><ul><li>and an <img src="a.png" width=9></li></ul>',
      `<p>${'long '.repeat(9_000)}</p>`,
    ];
    const posts = Array.from({ length: 10 }, (_, at) => ({ html: `${contents[at % 4]} ${at}`, base: 'https://e.org' }));
    const made = await closed.make(posts);
    expect(made.slice(0, 3).map(({ html }) => html)).toEqual([
      'words &#x26; <b>bold words</b> 0',
      '<p>words alone 1</p>',
      '<p>A <a href="https://e.org/y" rel="noopener noreferrer nofollow">link</a></p><ul><li>and an <img src="https://e.org/a.png" width="9" loading="lazy"></li></ul> 2',
    ]);
    expect(made.map(({ text }) => text.at(-1))).toEqual([...'0123456789']);
  });

  it('leaves all but some plain posts of a page to threads', async () => {
    const closed = new HtmlSanitiser(pino({ level: 'silent' }));
    await closed.onApplicationShutdown();
    const post = { html: `<p>${'<br>'.repeat(1_000)}</p>` };
    expect(await closed.make(Array(20).fill(post))).toHaveLength(20);
    await expect(closed.make(Array(1_000).fill(post))).rejects.toThrow('closed');
  });

  it('fails when it is closed meanwhile, instead of passing everything off as text', async () => {
    const closing = new HtmlSanitiser(pino({ level: 'silent' }));
    const making = closing.make([{ html: '<table>one</table>' }]);
    const failed = expect(making).rejects.toThrow('closed');
    await closing.onApplicationShutdown();
    await failed;
  });
});
