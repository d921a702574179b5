import { corpusCommand } from './corpus-command.js';

// npm run corpus -- --in DIR --out FILE, or --mutate
process.exitCode = await corpusCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
