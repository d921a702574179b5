/** The name of the jobs that only show that their queue moves. They stand for no row and are counted nowhere. */
export const CANARY = 'canary';

/** Is told of each canary that a worker has run; whoever watches canaries sets it. */
export class CanaryListener {
  returned: (queue: string) => Promise<void> = async () => undefined;
}
