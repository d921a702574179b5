import type { OptionSpecs } from './arguments.js';
import { type Action, action, type Command, EXIT } from './command.js';

const HELP = { help: 'Show help' } as const;

/** fish functions that test the position on the line: the command, and the word after it if it selects an action. */
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

const zshScript = (completions: Completions) =>
  `#compdef millrace\nautoload -Uz compinit bashcompinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n${bashScript(completions)}`;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
const SUMMARY = 'Prints a completion script for your shell';

const NOTES = `Add the line to the start-up file of your shell:
  bash  source <(millrace completion bash)             in ~/.bashrc
  zsh   source <(millrace completion zsh)              in ~/.zshrc
  fish  millrace completion fish | source              in ~/.config/fish/config.fish
`;

/** Completes the given commands and itself. */
export function completion(commands: readonly Command[]): Command {
  const self: Command = {
    name: 'completion',
    summary: SUMMARY,
    actions: [
      action({
        summary: SUMMARY,
        args: { name: 'shell', min: 1, max: 1, choices: Object.keys(SCRIPTS) },
        options: {},
        notes: NOTES,
        async run({ args: [shell] }, terminal) {
          terminal.out(SCRIPTS[shell as keyof typeof SCRIPTS](completionsOf([...commands, self])));
          return EXIT.done;
        },
      }),
    ],
  };
  return self;
}

function fishScript({ commands, places }: Completions): string {
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

/** zsh can run this script, too. Names and choices are plain words, so they need no quotes. */
function bashScript({ commands, places }: Completions): string {
  const withWord = places.filter(({ word }) => word).map((place) => `"${nameOf(place)}"`);
  return `_millrace() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} place=\${COMP_WORDS[1]} options= words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${texts(commands)} --help --version" -- "$cur"))
    return
  fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$place \${COMP_WORDS[2]}" in
      ${withWord.join(' | ')}) place="$place \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$place $prev" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$place" in
${places.map(placeCase).join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -o default -F _millrace millrace
`;
}

const texts = (offers: readonly { text: string }[]) => offers.map(({ text }) => text).join(' ');
const nameOf = ({ command, word }: Place) => (word ? `${command} ${word}` : command);

/** Options without choices complete nothing: their values are free text. */
const valueCases = (place: Place) =>
  place.options
    .filter(({ takesValue }) => takesValue)
    .map(({ text, choices }) => {
      const offer = choices.length ? `COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$cur")); ` : '';
      return `    "${nameOf(place)} ${text}") ${offer}return ;;`;
    });

function placeCase(place: Place): string {
  const { words, choices, options } = place;
  const first = words.length ? `[ "$COMP_CWORD" -eq 2 ] && words="${texts(words)}"; ` : '';
  const chosen = choices.length ? `words="${choices.join(' ')}"; ` : '';
  return `    "${nameOf(place)}") ${first}${chosen}options="${texts(options)}" ;;`;
}

interface Offer {
  text: string;
  help: string;
}

interface OfferedOption extends Offer {
  takesValue: boolean;
  choices: readonly string[];
}

/** A command, or a command with a word, and what can follow it. */
interface Place {
  command: string;
  /** Empty for the first action of the command. */
  word: string;
  /** Words that can follow the command. */
  words: Offer[];
  options: OfferedOption[];
  choices: readonly string[];
}

interface Completions {
  commands: Offer[];
  places: Place[];
}

function completionsOf(commands: readonly Command[]): Completions {
  return {
    commands: commands.map(({ name, summary }) => ({ text: name, help: summary })),
    places: commands.flatMap(({ name, actions }) => [
      { ...placeOf(name, actions[0]), words: wordsOf(actions) },
      ...actions.flatMap((one) => (one.word === undefined ? [] : { ...placeOf(name, one), word: one.word })),
    ]),
  };
}

const wordsOf = (actions: readonly Action[]): Offer[] =>
  actions.flatMap(({ word, summary }) => (word === undefined ? [] : { text: word, help: summary }));

const placeOf = (command: string, { options, args }: Action): Place => ({
  command,
  word: '',
  words: [],
  options: optionsOf({ ...options, help: HELP }),
  choices: args?.choices ?? [],
});

const optionsOf = (specs: OptionSpecs): OfferedOption[] =>
  Object.entries(specs).map(([name, { help, value, choices = [] }]) => {
    return { text: `--${name}`, help, takesValue: value !== undefined, choices };
  });
