/** The ioredis client of this process. Undefined without REDIS_URL. */
export const REDIS = Symbol('redis');
