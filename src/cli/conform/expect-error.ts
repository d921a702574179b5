import { isRetryable, type RemoteErrorCode } from '../../contracts/remote-error.js';
import { Breach } from './breach.js';
import type { Answer } from './kind.js';

/** What the error says. One that cannot go away may not be called retryable. */
export function expectError(answer: Answer, code: RemoteErrorCode): string {
  if (answer.status === 'success') throw new Breach(`answered with success instead of ${code}`);
  const { error } = answer;
  if (error.code !== code) throw new Breach(`answered with ${error.code} (${error.message}) instead of ${code}`);
  if (isRetryable(error)) throw new Breach(`${code} is called retryable, which would be for nothing`);
  return `${code}: ${error.message}`;
}
