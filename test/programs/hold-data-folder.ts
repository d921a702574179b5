import { holdDataFolder } from '../../src/platform/data-folder/hold-data-folder.js';

// Tries to hold the given folder, reports the result, and runs until it is killed.
const [, , folder = '', address] = process.argv;
setInterval(() => undefined, 60_000);
try {
  const lock = await holdDataFolder(folder);
  if (address) await lock.announce(address);
  process.send?.({ held: true });
} catch (error) {
  process.send?.({ held: false, reason: String(error) });
}
