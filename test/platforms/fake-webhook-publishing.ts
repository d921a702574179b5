export * from '../../demo/platforms/fake-webhook-publishing.js';
