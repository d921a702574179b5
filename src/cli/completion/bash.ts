import type { Completions, Place } from './completions.js';

/** For bash, and for zsh, which can run it. Names and choices are plain words, so nothing needs to be quoted. */
export function bashScript({ commands, places }: Completions): string {
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

/** The value of an option: one of a few, or something that only whoever types knows, perhaps a file. */
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
