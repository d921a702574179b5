export * from '../../demo/platforms/fake-linkedin-publishing.js';
