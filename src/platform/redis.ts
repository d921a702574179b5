/** The process's ioredis client, or undefined when no REDIS_URL is set. */
export const REDIS = Symbol('redis');
