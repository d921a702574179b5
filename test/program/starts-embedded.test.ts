import { newDataFolder } from '../harness/data-folder.js';
import { databaseUrlOf } from './embedded-server.js';
import { startConformance } from './start-conformance.js';

startConformance(async () => {
  const dataDir = newDataFolder();
  return { environment: { MILLRACE_DATA_DIR: dataDir, PORT: '0' }, databaseUrl: () => databaseUrlOf(dataDir) };
});
