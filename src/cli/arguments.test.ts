import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.js';

const accepted = {
  args: { name: 'file', min: 1, max: 2, example: 'feeds.opml' },
  options: {
    state: { value: 'state', help: '', choices: ['active', 'paused', 'gone'] },
    keyword: { value: 'word', help: '', many: true },
    text: { value: 'text', help: '' },
    json: { help: '' },
  },
} as const;
const read = (...typed: string[]) => readArguments(accepted, typed);

describe('what is typed after a command', () => {
  it('is read by what the command takes', () => {
    expect(read('one', '--keyword', 'a', '--json', 'two', '--keyword=b')).toEqual({
      args: ['one', 'two'],
      values: { state: undefined, keyword: ['a', 'b'], text: undefined, json: true },
    });
  });

  it('may have a dash alone as an argument or a value, and anything after a double dash', () => {
    expect(read('-', '--text', '-')).toMatchObject({ args: ['-'], values: { text: '-' } });
    expect(read('one', '--', '--json')).toMatchObject({ args: ['one', '--json'], values: { json: false } });
  });

  it('may have a value that begins with a dash behind an equals sign', () => {
    expect(read('one', '--text=--json').values).toMatchObject({ text: '--json', json: false });
  });

  it.each([
    ['an option that there is not', ['one', '--jason'], 'Unknown option `--jason`. Did you mean `--json`?'],
    ['an option that resembles none', ['one', '--loud'], 'Unknown option `--loud`.'],
    ['a short option', ['one', '-j'], 'Unknown option `-j`.'],
    ['an option without its value', ['one', '--text'], '--text needs a value: --text <text>.'],
    ['an option in place of a value', ['one', '--text', '--json'], '--text needs a value: --text <text>.'],
    ['a value for what takes none', ['one', '--json=yes'], '--json takes no value.'],
    ['a value that is not one of those', ['one', '--state', 'on'], '--state must be active, paused or gone, not `on`.'],
    ['no argument', [], 'Missing argument <file>, for example feeds.opml.'],
    ['too many arguments', ['one', 'two', 'three'], 'Unexpected argument `three`.'],
  ])('is refused with %s', (_, typed, complaint) => {
    const reading = () => readArguments(accepted, typed);
    expect(reading).toThrow(expect.objectContaining({ name: 'WrongArguments', message: complaint }));
  });
});
