// npm run corpus -- --in DIR --out FILE: both paths are relative to where npm was called.
process.argv.splice(2, 0, 'tools/corpus/corpus.command.js');
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
await import('./run.mjs');
