import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Lease {
  readonly name: string;
  release(): void;
}

/** Reserves one of the names for this test file. Creating a folder either succeeds or shows that another file has it. */
export function takeLease(folder: string, names: readonly string[]): Lease {
  const lease = tryToTake(folder, names);
  if (!lease) throw new Error(`all ${names.length} places in ${folder} are taken`);
  return lease;
}

export async function waitForLease(folder: string, names: readonly string[]): Promise<Lease> {
  for (;;) {
    const lease = tryToTake(folder, names);
    if (lease) return lease;
    await sleep(100);
  }
}

function tryToTake(folder: string, names: readonly string[]): Lease | undefined {
  mkdirSync(folder, { recursive: true });
  const name = names.find((candidate) => tryToMake(join(folder, candidate)));
  return name === undefined ? undefined : { name, release: () => rmdirSync(join(folder, name)) };
}

/** Whether this process created the folder. */
export function tryToMake(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
