import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));

describe.runIf(process.platform !== 'win32')('the watchdog', () => {
  it('ends every process with a pid file below its folder, however the files are written', async () => {
    const folder = newFolder();
    const servers = [sleeper(), sleeper(), sleeper(), sleeper()];
    servers.forEach((server, index) => {
      mkdirSync(join(folder, `${index}`));
      writeFileSync(join(folder, `${index}`, 'server.pid'), index % 2 ? `${server.pid}` : `${server.pid}\nmore\n`);
    });
    const bystander = sleeper();

    await runWatchdog(folder);

    await Promise.all(servers.map((server) => server.exitCode ?? server.signalCode ?? once(server, 'exit')));
    expect(servers.map((server) => server.signalCode)).toEqual(Array(4).fill('SIGKILL'));
    expect(bystander.signalCode).toBeNull();
    expect(existsSync(folder)).toBe(false);
  });

  it('asks PostgreSQL to go before it kills it', async () => {
    const folder = newFolder();
    const [polite, deaf] = [sleeper(), shell('trap "" QUIT; echo ready; while :; do sleep 0.1; done')];
    await once(deaf.stdout ?? deaf, 'data');
    [polite, deaf].forEach((server, index) => {
      mkdirSync(join(folder, `${index}`));
      writeFileSync(join(folder, `${index}`, 'postmaster.pid'), `${server.pid}\n/data\n`);
    });

    await runWatchdog(folder);

    if (deaf.signalCode === null) await once(deaf, 'exit');
    expect([polite.signalCode, deaf.signalCode]).toEqual(['SIGQUIT', 'SIGKILL']);
  });

  it('removes containers by the names it finds', async () => {
    const folder = newFolder();
    const tools = newFolder();
    writeFileSync(join(tools, 'docker'), `#!/bin/sh\necho "$@" >> ${join(tools, 'calls')}\n`);
    chmodSync(join(tools, 'docker'), 0o755);
    writeFileSync(join(folder, 'name.container'), 'millrace-test-1\n');

    await runWatchdog(folder, `${tools}:${process.env.PATH}`);

    expect(readFileSync(join(tools, 'calls'), 'utf8')).toBe('rm --force --volumes millrace-test-1\n');
  });
});

async function runWatchdog(folder: string, path = process.env.PATH): Promise<void> {
  const watchdog = spawn(process.execPath, [PROGRAM, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: path },
  });
  watchdog.stdin.end('done\n');
  await once(watchdog, 'exit');
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-watchdog-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const sleeper = () => shell('exec sleep 600');

function shell(command: string): ChildProcess {
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
