export * from '../../demo/platforms/fake-graph-api.js';
