import { FeedSite } from '../../test/harness/feed-site.js';
import { WorldOfFeeds } from '../../test/imports/world-of-feeds.js';

/**
 * A process that serves feeds: `feed-server.program.js <feeds> <items of each>`. It sends their address to the parent
 * process.
 */
const [feeds = '0', items = '0'] = process.argv.slice(2);
const world = new WorldOfFeeds(await FeedSite.open(), { feeds: Number(feeds), items: Number(items) });
process.send?.(world.urls);
process.once('disconnect', () => process.exit(0));
