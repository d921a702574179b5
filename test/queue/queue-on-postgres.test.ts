import { queueConformance } from './queue-conformance.js';

queueConformance('PostgreSQL', () => undefined);
