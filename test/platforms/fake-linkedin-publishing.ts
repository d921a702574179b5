export * from '../../src/demo/platforms/fake-linkedin-publishing.js';
