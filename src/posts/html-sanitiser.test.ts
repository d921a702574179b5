import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { HtmlSanitiser } from './html-sanitiser.js';

/** Every further paragraph repeats all of them: little text, millions of elements. */
const BOMB = `<p>${Array.from({ length: 1_000 }, (_, at) => `<b x=${at}>`).join('')}${'<p>boom '.repeat(20_000)}`;

describe('HtmlSanitiser', () => {
  const lines: { msg: string }[] = [];
  const sanitiser = new HtmlSanitiser(pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) }));
  afterAll(() => sanitiser.onApplicationShutdown());

  it('answers in the order of the posts, over many batches', async () => {
    const posts = Array.from({ length: 300 }, (_, at) => ({ html: `<p>${at}${' '.repeat(5_000)}</p>` }));
    const made = await sanitiser.make(posts);
    expect(made.map(({ text }) => text)).toEqual(posts.map((_, at) => `${at}`));
    expect(await sanitiser.make([])).toEqual([]);
  });

  it('shows a post that no thread can do as text, and does the others', async () => {
    const made = await sanitiser.make([
      { html: '<b>one</b>' },
      { html: BOMB },
      { html: '<a href="/x">two</a>', base: 'https://e.org' },
    ]);
    expect(made[0]?.html).toBe('<b>one</b>');
    expect(made[1]?.html).toMatch(/^<p>boom boom/);
    expect(made[2]?.html).toContain('href="https://e.org/x"');
    expect(lines.map(({ msg }) => msg)).toContain('a post could not be made safe and is shown as text');
  });

  it('fails when it is closed meanwhile, instead of passing everything off as text', async () => {
    const closing = new HtmlSanitiser(pino({ level: 'silent' }));
    const making = closing.make([{ html: '<b>one</b>' }]);
    const failed = expect(making).rejects.toThrow('closed');
    await closing.onApplicationShutdown();
    await failed;
  });
});
