import { main } from './main.js';

const { stdout, stderr } = process;
// Without process.exit, so that all that was printed gets out.
process.exitCode = await main(process.argv.slice(2), {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  colours: stdout.isTTY && stdout.hasColors(),
});
