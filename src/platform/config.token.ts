export const CONFIG = Symbol('configuration');
