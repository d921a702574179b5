export * from '../../demo/platforms/fake-mastodon-publishing.js';
