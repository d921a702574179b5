/** The path of the canaries that go through the broker; all others have the names of their queues. */
export const BROKER_PATH = 'rabbitmq';
