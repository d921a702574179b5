import { redisUrl } from '../harness/redis.js';
import { crashConformance } from './crash-conformance.js';

const url = redisUrl();
crashConformance('Redis', () => url);
