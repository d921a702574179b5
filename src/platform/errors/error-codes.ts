interface Description {
  status: number;
  title: string;
  meaning: string;
  remedy: string;
}

/** Every error code of the API. `docs/errors.md` shows this list; a test keeps the two equal. */
export const ERROR_CODES = {
  bad_request: {
    status: 400,
    title: 'Bad request',
    meaning: 'The server could not read the request.',
    remedy: 'Correct what `detail` says.',
  },
  validation_failed: {
    status: 400,
    title: 'Invalid input',
    meaning:
      'A field of the body, the query or the path is missing, unknown or invalid; `errors` lists up to 20 of them, or 100 feeds of an import.',
    remedy: 'Correct these fields. The schemas are in `/openapi.json`.',
  },
  bulk_refused: {
    status: 422,
    title: 'Posts refused',
    meaning: 'Posts of a bulk request are invalid, so none was stored; `errors` has an entry for each of them.',
    remedy: 'Correct these posts, or leave them out, and send the request again.',
  },
  worker_needed: {
    status: 409,
    title: 'A worker is needed',
    meaning: 'This type of source is fetched by a worker over RabbitMQ, which is not configured.',
    remedy: 'Set `RABBITMQ_URL` and run a worker; see `docs/workers.md`.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Idempotency key reused',
    meaning: 'The `Idempotency-Key` was used before with a different body.',
    remedy: 'Use a new key for a new request.',
  },
  already_ended: {
    status: 409,
    title: 'Already ended',
    meaning: 'The job or import has already ended, so it cannot be cancelled.',
    remedy: 'No action is needed.',
  },
  account_broken: {
    status: 409,
    title: 'Account needs reconnecting',
    meaning:
      'The platform rejected the credentials of the account, or they cannot be decrypted; `errors` names the account.',
    remedy:
      'Send new credentials with `PATCH /api/v1/accounts/:id`, or check again with `POST /api/v1/accounts/:id/check`.',
  },
  no_free_slot: {
    status: 409,
    title: 'No free slot',
    meaning: 'The account has no slots, or no slot is free within a year.',
    remedy: 'Add slots with `PATCH /api/v1/accounts/:id`, or send a time.',
  },
  too_late: {
    status: 409,
    title: 'Too late',
    meaning: 'The publication is being published, or has ended; `detail` says which.',
    remedy: 'Read it again. A published post can only be changed on the platform.',
  },
  host_limit_fixed: {
    status: 409,
    title: 'Limit is fixed',
    meaning: 'The limit of the host is set in the environment, which takes precedence.',
    remedy: 'Change `MILLRACE_HOST_LIMITS` and restart Millrace.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    meaning: 'The body is declared as JSON but is not valid JSON.',
    remedy: 'Send valid JSON, encoded as UTF-8.',
  },
  authentication_required: {
    status: 401,
    title: 'Authentication required',
    meaning: 'The request has neither a key nor a session.',
    remedy: 'Send `Authorization: Bearer <key>`, or sign in at `/sign-in`.',
  },
  invalid_key: {
    status: 401,
    title: 'Invalid key',
    meaning: 'The key is unknown or has been revoked.',
    remedy: 'Use another key; an admin can create one with `POST /api/v1/keys`.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The caller is not allowed to do this.',
    remedy: 'Use a key with the required permission.',
  },
  admin_required: {
    status: 403,
    title: 'Admin key required',
    meaning: 'This request needs a key with the scope `admin`, not acting for a user.',
    remedy: 'Use an admin key, without `X-Millrace-User`.',
  },
  scope_required: {
    status: 403,
    title: 'Scope required',
    meaning: 'The key lacks a scope that this request needs: `read`, `write`, `publish` or `metrics`.',
    remedy: 'Use a key that has the scope named in `detail`.',
  },
  cannot_act_for_others: {
    status: 403,
    title: 'Cannot act for others',
    meaning: '`X-Millrace-User` was sent with a key of the scope `user`.',
    remedy: 'Leave the header out, or use an admin key.',
  },
  cross_site_request: {
    status: 403,
    title: 'Cross-site request refused',
    meaning: 'A request that changes data did not come from a page of this server.',
    remedy: 'Use a key instead of the cookie in scripts. Behind a proxy, forward `Host` or set `MILLRACE_PUBLIC_URL`.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The object does not exist, or the caller has no access to it.',
    remedy: 'Check the id.',
  },
  route_not_found: {
    status: 404,
    title: 'Route not found',
    meaning: 'This path does not exist.',
    remedy: 'Check the path. All paths are listed in `/openapi.json`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path does not support this method; the `Allow` header lists the supported ones.',
    remedy: 'Use one of the allowed methods.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request did not arrive completely in time.',
    remedy: 'Send it again.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    meaning: 'The request does not match the current state.',
    remedy: 'Read the current state, then try again.',
  },
  user_exists: {
    status: 409,
    title: 'User exists',
    meaning: 'There is already a user with this `externalId` or `userName`.',
    remedy: 'Use that user, or choose another id or name.',
  },
  last_admin_key: {
    status: 409,
    title: 'Last admin key',
    meaning: 'Revoking this key would leave no way to administer the server.',
    remedy: 'Create another admin key first.',
  },
  dead_letter_closed: {
    status: 409,
    title: 'Dead letter closed',
    meaning: 'The dead letter was already replayed or discarded, or cannot be replayed now.',
    remedy: 'Read it again; `detail` has the reason.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    meaning:
      'The body exceeds 64 kB (4 kB to sign in, 256 kB for scrape jobs, 1 MB for publications, 10 MB for OPML to follow, 32 MB for imports), has more than 250,000 values, or is nested more than 32 levels deep.',
    remedy: 'Send a smaller body.',
  },
  uri_too_long: {
    status: 414,
    title: 'URL too long',
    meaning: 'A part of the path is longer than any id can be.',
    remedy: 'Check the path.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'This path does not accept the content type of the body.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  feed_not_found: {
    status: 422,
    title: 'No feed found',
    meaning: 'The address was read but has no feed; `detail` says what was tried.',
    remedy: 'Send the URL of the feed itself, or of a page that links to its feed.',
  },
  address_refused: {
    status: 422,
    title: 'Address refused',
    meaning: 'The address leads to a private, loopback or otherwise special network.',
    remedy: 'Use a public address; an operator can allow networks with `MILLRACE_ALLOW_NETWORKS`.',
  },
  site_unreachable: {
    status: 422,
    title: 'Site unreachable',
    meaning:
      'The address could not be read: there was no response or an error, or the site accepts no requests for now.',
    remedy: 'Check the address, or try again later; `detail` has the reason.',
  },
  credentials_refused: {
    status: 422,
    title: 'Credentials refused',
    meaning: 'The platform rejected these credentials; `detail` has its message.',
    remedy: 'Send valid credentials.',
  },
  platform_unreachable: {
    status: 422,
    title: 'Platform unreachable',
    meaning:
      'The credentials could not be checked, because the platform did not respond or returned an unexpected response.',
    remedy: 'Try again later, or store them unchecked with `check: false`.',
  },
  content_refused: {
    status: 422,
    title: 'Content refused',
    meaning:
      'A platform does not accept the content, or a file could not be downloaded; `errors` names the account, the field and the limit.',
    remedy: 'Correct these fields, or leave out the account.',
  },
  invalid_opml: {
    status: 422,
    title: 'Invalid OPML',
    meaning: 'The document is not OPML, is nested too deeply, or lists too many feeds.',
    remedy: 'Correct what `detail` says.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'The user, the admin key or an address that tries keys has sent too many requests, or the user has too many open streams.',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The headers of the request exceed what the server accepts.',
    remedy: 'Send fewer or shorter headers and cookies.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'An unexpected error occurred on the server.',
    remedy: 'Try again later; the log has the reason under the `requestId`.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    meaning: 'The server is too busy for this request, for example because it is reading other large bodies.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then retry.',
  },
  memory_low: {
    status: 503,
    title: 'Low memory',
    meaning:
      'The process is low on memory and accepts only light requests: no body over 64 kB, no import, no OPML, no feed for other readers and no download.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then retry.',
  },
  not_ready: {
    status: 503,
    title: 'Not ready',
    meaning: 'A dependency of the server does not respond; `errors` names it if it is known.',
    remedy: 'Try again later; see the log for the reason.',
  },
  connections_exhausted: {
    status: 503,
    title: 'No database connection left',
    meaning: 'PostgreSQL accepts no more connections, or no connection of this process became free in time.',
    remedy: 'Try again later. The operator can raise `max_connections` or run fewer processes.',
  },
  disk_full: {
    status: 503,
    title: 'Disk full',
    meaning: 'The disk of the database is full. Stored data can still be read.',
    remedy: 'Try again later. The operator must free space on the disk of the database.',
  },
} as const satisfies Record<string, Description>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function codeForStatus(status: number): ErrorCode {
  return GENERIC_CODES[status] ?? (status < 500 ? 'bad_request' : 'internal_error');
}

const GENERIC_CODES: Record<number, ErrorCode> = {
  401: 'authentication_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  413: 'body_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'not_ready',
};
