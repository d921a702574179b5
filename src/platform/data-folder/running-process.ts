import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns false also for a zombie, which has ended but whose parent has not read its exit code. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    // EPERM means that the process belongs to another user and is running.
  }
  return process.platform !== 'linux' || (await linuxStat(pid)) !== undefined;
}

/** Returns when a process began. Together with its id this identifies it, across reboots too. */
export async function startOf(pid: number, platform = process.platform): Promise<string | undefined> {
  if (platform === 'win32') return (await windowsProcess(pid, 'CreationDate.ToUniversalTime().Ticks')) || undefined;
  if (platform !== 'linux') return (await ps(pid, 'lstart=')) || undefined;
  const stat = await linuxStat(pid);
  return stat && `${stat.startTicks} after boot ${(await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()}`;
}

export async function commandLineOf(pid: number, platform = process.platform): Promise<string> {
  if (platform === 'win32') return windowsProcess(pid, 'CommandLine');
  if (platform !== 'linux') return ps(pid, 'args=');
  const line = await readIfThere(`/proc/${pid}/cmdline`);
  return line?.replaceAll('\0', ' ').trim() ?? '';
}

async function linuxStat(pid: number): Promise<{ startTicks: string } | undefined> {
  const stat = await readIfThere(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets, which may contain blanks and brackets.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields?.[0], fields?.[19]];
  return startTicks === undefined || state === 'Z' || state === 'X' ? undefined : { startTicks };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

/** Prints nothing if there is no such process, or if it does not show the property to this user. */
async function windowsProcess(pid: number, property: string): Promise<string> {
  const script = [
    '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
    `$process = Get-CimInstance Win32_Process -Filter "ProcessId = ${pid}"`,
    `if ($process) { $process.${property} }`,
  ];
  // A command line cannot carry the quotes of the script reliably, so it is encoded.
  const encoded = Buffer.from(script.join('\n'), 'utf16le').toString('base64');
  const args = ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded];
  const { stdout } = await run('powershell.exe', args, { windowsHide: true });
  return stdout.trim();
}

async function ps(pid: number, format: string): Promise<string> {
  try {
    const { stdout } = await run('ps', ['-ww', '-o', format, '-p', String(pid)]);
    return stdout.trim();
  } catch (error) {
    // `ps` exits with 1 if there is no such process.
    if ((error as { code?: unknown }).code === 1) return '';
    throw error;
  }
}
