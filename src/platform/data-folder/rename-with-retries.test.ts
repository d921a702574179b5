import { describe, expect, it } from 'vitest';
import { renameWithRetries } from './rename-with-retries.js';

const inUse = (code = 'EPERM') => Object.assign(new Error('the file is in use'), { code });

/** A file system that refuses the first renames with these errors. */
function refusing(platform: NodeJS.Platform, errors: Error[]) {
  const moves: string[] = [];
  const rename = async (from: string, to: string) => {
    const error = errors.shift();
    if (error) throw error;
    moves.push(`${from} to ${to}`);
  };
  return { platform, rename, moves };
}

describe('a rename', () => {
  it('waits on Windows for a program that has the file open', async () => {
    const system = refusing('win32', [inUse(), inUse('EBUSY'), inUse('EACCES')]);
    await renameWithRetries('draft', 'file', system);
    expect(system.moves).toEqual(['draft to file']);
  });

  it('fails on Windows if the file stays open', async () => {
    const system = refusing('win32', Array.from({ length: 100 }, inUse));
    await expect(renameWithRetries('draft', 'file', system)).rejects.toThrow('the file is in use');
    expect(system.moves).toEqual([]);
  });

  it('fails at once for any other reason, and on other systems', async () => {
    const missing = refusing('win32', [inUse('ENOENT')]);
    await expect(renameWithRetries('draft', 'file', missing)).rejects.toThrow('the file is in use');
    const forbidden = refusing('linux', [inUse('EACCES')]);
    await expect(renameWithRetries('draft', 'file', forbidden)).rejects.toThrow('the file is in use');
    expect([...missing.moves, ...forbidden.moves]).toEqual([]);
  });
});
