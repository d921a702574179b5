import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface Program<Message> {
  readonly pid: number;
  /** The first message that it sent through `process.send`. */
  readonly said: Promise<Message>;
  /** Everything that it has printed so far. */
  printed(): string;
  end(signal: NodeJS.Signals): Promise<void>;
}

interface Surroundings {
  /** A compiled copy of the repository. The default is this one. */
  readonly root?: string;
  readonly ids?: { uid: number; gid: number };
}

/** Runs a program of test/programs in its own process group, which ends with the test. */
export function runProgram<Message>(name: string, args: string[], { root, ids }: Surroundings = {}): Program<Message> {
  const dist = root ? `${root}/dist` : fileURLToPath(new URL('../../dist', import.meta.url));
  const child = fork(`${dist}/test-program/${name}.js`, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    cwd: '/',
    detached: true,
    ...ids,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (printed += text));
  // Emitted after `exit`, when all of its output has been read.
  const closed = once(child, 'close');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await closed;
  };
  onTestFinished(() => end('SIGKILL'));
  const said = firstMessage<Message>(child, () => printed);
  return { pid: child.pid ?? 0, said, printed: () => printed, end };
}

async function firstMessage<Message>(child: ChildProcess, printed: () => string): Promise<Message> {
  const ended = new AbortController();
  child.once('close', () => ended.abort());
  try {
    const [message] = await once(child, 'message', { signal: ended.signal });
    return message as Message;
  } catch {
    throw new Error(`the program ended without a word: ${printed()}`);
  }
}
