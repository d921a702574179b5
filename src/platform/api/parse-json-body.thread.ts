import { serveThread } from '../threads/serve-thread.js';
import { type JsonBody, parseJsonBody } from './parse-json-body.js';

serveThread((body: Uint8Array): JsonBody => parseJsonBody(body));
