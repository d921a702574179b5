export * from '../../src/demo/platforms/fake-graph-api.js';
