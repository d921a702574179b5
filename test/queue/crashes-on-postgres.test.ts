import { crashConformance } from './crash-conformance.js';

crashConformance({ name: 'PostgreSQL', redisUrl: () => undefined, short: true });
