import { startEngine } from './engine.js';

/** A worker process for tests that kill, freeze and stop it: `node worker.process.js '<EngineOptions>'`. */
const engine = await startEngine({ ...JSON.parse(process.argv[2] ?? '{}'), logLevel: 'info' });
process.once('SIGTERM', async () => {
  await engine.stop();
  process.exit(0);
});
process.stdout.write('ready\n');
