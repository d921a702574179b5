import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { commandLineOf, isRunning, startOf } from './running-process.js';

const IDLE = 'setTimeout(() => {}, 60_000)';

function start(program: string, ...args: string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

it('knows a running process by its start and its command line', async () => {
  const { pid = 0 } = start(process.execPath, '--eval', IDLE);
  expect(await isRunning(pid)).toBe(true);
  expect(await startOf(pid)).toBe(await startOf(pid));
  await expect.poll(() => commandLineOf(pid)).toContain(IDLE);
});

it('knows that an ended process is gone', async () => {
  const child = start(process.execPath, '--eval', IDLE);
  const { pid = 0 } = child;
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect([await isRunning(pid), await startOf(pid), await commandLineOf(pid)]).toEqual([false, undefined, '']);
});

it.runIf(process.platform === 'linux')('counts a process that nobody buries as gone', async () => {
  const parent = start('sh', '-c', 'sleep 0.01 & echo $!; exec sleep 60');
  const [pid] = await once(parent.stdout, 'data');
  await expect.poll(() => isRunning(Number(pid)), { timeout: 10_000 }).toBe(false);
  expect(() => process.kill(Number(pid), 0)).not.toThrow();
});

/** Makes the only program on the PATH one that prints a line as PowerShell does: what it was asked for, decoded. */
function pretendPowershell(): void {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-powershell-'));
  const program = `#!${process.execPath}
    console.log(Buffer.from(process.argv.at(-1), 'base64').toString('utf16le').split('\\n').join(' | ') + '\\r');`;
  writeFileSync(join(folder, 'powershell.exe'), program, { mode: 0o755 });
  vi.stubEnv('PATH', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
}

it.runIf(process.platform !== 'win32')('asks PowerShell about a process on Windows', async () => {
  pretendPowershell();
  const [start, line] = [await startOf(4711, 'win32'), await commandLineOf(4711, 'win32')];
  for (const asked of [start, line])
    expect(asked).toContain('Get-CimInstance Win32_Process -Filter "ProcessId = 4711"');
  expect(start).toMatch(/\$process\.CreationDate\.ToUniversalTime\(\)\.Ticks \}$/);
  expect(line).toMatch(/\$process\.CommandLine \}$/);
});
