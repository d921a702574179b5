export * from '../../demo/platforms/fake-facebook-publishing.js';
