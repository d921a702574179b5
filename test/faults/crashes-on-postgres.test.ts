import { crashConformance } from '../queue/crash-conformance.js';

crashConformance({ name: 'PostgreSQL', redisUrl: () => undefined });
