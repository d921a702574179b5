import type { Completions, OfferedOption, Place } from './completions.js';

/** Where on the line one is: the command, and the word after it if it is one of the command's. */
const FUNCTIONS = `function __millrace_at
    set -l typed (commandline -opc)
    test "$typed[2]" = "$argv[1]"; or return 1
    set -l word ''
    contains -- "$typed[3]" $argv[3..]; and set word $typed[3]
    test "$word" = "$argv[2]"
end
function __millrace_after
    test (count (commandline -opc)) -eq $argv[1]
end
`;

export function fishScript({ commands, places }: Completions): string {
  const wordsOf = (command: string) => places.find((place) => place.command === command)?.words ?? [];
  const lines = [
    ...commands.map(({ text, help }) => `-n '__millrace_after 1' -f -a ${text} -d ${quoted(help)}`),
    ...places.flatMap((place) => {
      const words = wordsOf(place.command).map(({ text }) => text);
      return linesAt(place, ['__millrace_at', place.command, `'${place.word}'`, ...words].join(' '));
    }),
  ];
  return `${FUNCTIONS}${lines.map((line) => `complete -c millrace ${line}\n`).join('')}`;
}

function linesAt({ words, choices, options }: Place, here: string): string[] {
  const second = quoted(`${here}; and __millrace_after 2`);
  return [
    ...words.map(({ text, help }) => `-n ${second} -f -a ${text} -d ${quoted(help)}`),
    ...(choices.length ? [`-n ${quoted(here)} -f -a ${quoted(choices.join(' '))}`] : []),
    ...options.map((option) => `-n ${quoted(here)} ${optionOf(option)}`),
  ];
}

function optionOf({ text, help, takesValue, choices }: OfferedOption): string {
  const value = choices.length ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
  return `-l ${text.slice('--'.length)}${value} -d ${quoted(help)}`;
}

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, (sign) => `\\${sign}`)}'`;
