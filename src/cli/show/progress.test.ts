import { describe, expect, it } from 'vitest';
import { Progress } from './progress.js';

function progressOn(watched: boolean) {
  const printed: string[] = [];
  const terminal = { out: () => undefined, err: (text: string) => void printed.push(text), colours: false, watched };
  return { progress: new Progress({ ...terminal, width: 50 }), printed: () => printed.join('') };
}

describe('progress', () => {
  it('is a bar that moves on one line, no wider than the terminal, where somebody watches', () => {
    const { progress, printed } = progressOn(true);
    progress.show({ done: 1, total: 4, text: 'one of four' });
    progress.show({ done: 4, total: 4, text: 'a text that is much too long for the line' });
    progress.end();
    const [, first = '', second = '', last] = printed().split('\r\u001b[2K');
    expect(first).toBe(`${'█'.repeat(6)}${'░'.repeat(18)}  25 %  one of four`);
    expect(second).toHaveLength(49);
    expect(last).toBe('');
  });

  it('is lines where nobody does', () => {
    const { progress, printed } = progressOn(false);
    progress.show({ done: 1, total: 4, text: 'one of four' });
    progress.show({ done: 2, total: 4, text: 'two of four' });
    progress.end();
    expect(printed()).toBe(' 25 %  one of four\n');
  });

  it('says nothing of a share while the whole is not known', () => {
    const { progress, printed } = progressOn(false);
    progress.show({ done: 0, total: 0, text: 'begun' });
    expect(printed()).toBe('begun\n');
  });
});
