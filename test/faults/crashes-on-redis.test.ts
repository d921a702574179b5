import { redisUrl } from '../harness/redis.js';
import { crashConformance } from '../queue/crash-conformance.js';

const url = redisUrl();
crashConformance({ name: 'Redis', redisUrl: () => url });
