import { redisUrl } from '../harness/redis.js';
import { queueConformance } from './queue-conformance.js';

const url = redisUrl();
queueConformance('Redis', () => url);
