import { serveThread } from '../../platform/threads/serve-thread.js';
import { readPage } from './page/read-page.js';

serveThread(readPage);
