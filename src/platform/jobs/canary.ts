/** Name of the jobs that only prove that their queue moves. They have no row and are not counted. */
export const CANARY = 'canary';

export class CanaryListener {
  returned: (queue: string) => Promise<void> = async () => undefined;
}
