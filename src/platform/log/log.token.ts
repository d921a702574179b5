export const LOG = Symbol('log');
