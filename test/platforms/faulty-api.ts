export * from '../../src/demo/platforms/faulty-api.js';
