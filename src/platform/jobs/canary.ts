/** Name of the jobs that only prove that their queue moves. They have no row and are not counted. */
export const CANARY = 'canary';

/** Calls `returned` for each canary that a worker has run. The canary watcher sets the callback. */
export class CanaryListener {
  returned: (queue: string) => Promise<void> = async () => undefined;
}
