export * from '../../src/demo/platforms/fake-facebook-publishing.js';
