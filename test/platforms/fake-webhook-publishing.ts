export * from '../../src/demo/platforms/fake-webhook-publishing.js';
