export * from '../../demo/platforms/faulty-api.js';
