import { main } from './main.js';

const { stdout, stderr } = process;
/** As shells show one that was ended by SIGPIPE. */
const NOBODY_READS = 141;
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(NOBODY_READS);
});
// Without process.exit, so that all that was printed gets out.
process.exitCode = await main(process.argv.slice(2), {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  colours: stdout.isTTY && stdout.hasColors(),
});
