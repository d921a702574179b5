export * from '../../src/demo/platforms/fake-mastodon-publishing.js';
