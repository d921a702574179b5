import { action, type Command, EXIT } from '../command.js';
import { bashScript } from './bash.js';
import { completionsOf } from './completions.js';
import { fishScript } from './fish.js';
import { zshScript } from './zsh.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
const SUMMARY = 'prints a script that lets your shell complete all this';

const NOTES = `To have it in every shell, add to the file that it reads at its start:
  bash  source <(millrace completion bash)             in ~/.bashrc
  zsh   source <(millrace completion zsh)              in ~/.zshrc
  fish  millrace completion fish | source              in ~/.config/fish/config.fish
`;

/** For the given commands and itself. */
export function completion(commands: readonly Command[]): Command {
  const self: Command = {
    name: 'completion',
    summary: SUMMARY,
    actions: [
      action({
        summary: SUMMARY,
        args: { name: 'shell', least: 1, most: 1, choices: Object.keys(SCRIPTS) },
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
