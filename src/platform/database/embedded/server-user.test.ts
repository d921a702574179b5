import { describe, expect, it } from 'vitest';
import { runAs } from './server-user.js';

const OWN_USER = { name: 'the user of Millrace', ids: undefined };
/** Starts a process that holds this one's output open, as a server does on Windows, and ends at once. */
const leaving = (end: string) =>
  ['sh', '-c', `sleep 5 & echo "not enough memory" >&2; ${end}`] as [string, ...string[]];

describe.runIf(process.platform !== 'win32')('a program of the embedded server', () => {
  it('is waited for, but on Windows the server that it leaves behind is not', async () => {
    const order: string[] = [];
    const onWindows = runAs(OWN_USER, leaving('exit 0'), 'win32').then(() => order.push('windows'));
    const onLinux = runAs(OWN_USER, leaving('exit 0'), 'linux').then(() => order.push('linux'));
    await Promise.all([onWindows, onLinux]);
    expect(order).toEqual(['windows', 'linux']);
  });

  it('fails with what it complained about', async () => {
    await expect(runAs(OWN_USER, leaving('exit 1'), 'win32')).rejects.toThrow('not enough memory');
    await expect(runAs(OWN_USER, ['sh', '-c', 'exit 3'])).rejects.toThrow('sh ended with 3');
  });
});
