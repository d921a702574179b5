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
    meaning: 'The request is not one the server can read.',
    remedy: 'Correct what `detail` says.',
  },
  validation_failed: {
    status: 400,
    title: 'Invalid input',
    meaning:
      'A field of the body, the query or the path is missing, unknown or wrong; `errors` names up to 20, or 100 feeds of an import.',
    remedy: 'Correct the named fields. The accepted shapes are in `/openapi.json`.',
  },
  worker_needed: {
    status: 409,
    title: 'A worker is needed',
    meaning: 'This kind of source is fetched by a worker over RabbitMQ, and none is configured.',
    remedy: 'Set `RABBITMQ_URL` and run a worker: `docs/workers.md`.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Idempotency key reused',
    meaning: 'The `Idempotency-Key` was sent before, with another body.',
    remedy: 'Use a new key for a new request.',
  },
  already_ended: {
    status: 409,
    title: 'Already ended',
    meaning: 'What is to be stopped has ended before.',
    remedy: 'Nothing needs to be done.',
  },
  account_broken: {
    status: 409,
    title: 'Account does not work',
    meaning: 'The platform does not take the credentials of the account, or they cannot be read; `errors` names it.',
    remedy:
      'Give new credentials with `PATCH /api/v1/accounts/:id`, or ask again with `POST /api/v1/accounts/:id/check`.',
  },
  no_free_slot: {
    status: 409,
    title: 'No free slot',
    meaning: 'The account has no slots, or none that is free within a year.',
    remedy: 'Give it slots with `PATCH /api/v1/accounts/:id`, or give a time.',
  },
  too_late: {
    status: 409,
    title: 'Too late',
    meaning: 'The publication is being published, or has ended; `detail` says which.',
    remedy: 'Read it again; what is on a platform can only be changed there.',
  },
  host_limit_fixed: {
    status: 409,
    title: 'Limit is fixed',
    meaning: 'The limit of the host is in the environment, which goes before what is set here.',
    remedy: 'Change `MILLRACE_HOST_LIMITS` and start Millrace again.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    meaning: 'The body is declared as JSON and is not.',
    remedy: 'Send valid JSON, encoded as UTF-8.',
  },
  authentication_required: {
    status: 401,
    title: 'Authentication required',
    meaning: 'The request carries neither a key nor a session.',
    remedy: 'Send `Authorization: Bearer <key>`, or sign in at `/sign-in`.',
  },
  invalid_key: {
    status: 401,
    title: 'Invalid key',
    meaning: 'The key is unknown or has been revoked.',
    remedy: 'Use another key; an admin can make one with `POST /api/v1/keys`.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The caller is known and may not do this.',
    remedy: 'Use a key that may.',
  },
  admin_required: {
    status: 403,
    title: 'Admin key required',
    meaning: 'This needs a key of scope `admin`, not acting for a user.',
    remedy: 'Use an admin key, without `X-Millrace-User`.',
  },
  scope_required: {
    status: 403,
    title: 'Scope required',
    meaning: 'The key lacks a scope that this request needs: `read`, `write`, `publish` or `metrics`.',
    remedy: 'Use a key that has it; `detail` names the scope.',
  },
  cannot_act_for_others: {
    status: 403,
    title: 'Cannot act for others',
    meaning: '`X-Millrace-User` was sent with a key of scope `user`.',
    remedy: 'Leave the header out, or use an admin key.',
  },
  cross_site_request: {
    status: 403,
    title: 'Cross-site request refused',
    meaning: 'A request that changes something did not come from a page of this server.',
    remedy:
      'Scripts should use a key instead of the cookie; a proxy must pass `Host` on, or set `MILLRACE_PUBLIC_URL`.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no such thing, or the caller may not see it.',
    remedy: 'Check the id.',
  },
  route_not_found: {
    status: 404,
    title: 'No such address',
    meaning: 'Nothing is served at this path.',
    remedy: 'Check the path; all are listed in `/openapi.json`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists, but not for this method; the `Allow` header lists those that do.',
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
    meaning: 'The request does not fit the present state.',
    remedy: 'Read the current state, then decide again.',
  },
  user_exists: {
    status: 409,
    title: 'User exists',
    meaning: 'There is already a user with this `externalId`.',
    remedy: 'Use that user, or choose another id.',
  },
  last_admin_key: {
    status: 409,
    title: 'Last admin key',
    meaning: 'Revoking this key would leave no way to administer the server.',
    remedy: 'Make another admin key first.',
  },
  dead_letter_closed: {
    status: 409,
    title: 'Dead letter closed',
    meaning: 'The dead letter has been replayed or discarded already, or cannot be replayed now.',
    remedy: 'Read it again; `detail` says what stands in the way.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    meaning:
      'The body exceeds 64 kB (4 kB to sign in, 256 kB for scrape jobs, 1 MB for publications, 10 MB for OPML to follow, 32 MB for imports), has more than 250,000 values, or is nested more than 32 levels deep.',
    remedy: 'Send less at once.',
  },
  uri_too_long: {
    status: 414,
    title: 'Address too long',
    meaning: 'A part of the path is longer than any id can be.',
    remedy: 'Check the path.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body has a type this path does not read.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  feed_not_found: {
    status: 422,
    title: 'No feed found',
    meaning: 'The address was read and leads to nothing that can be followed; `detail` says what was tried.',
    remedy: "Give the feed's own address, or that of a page that names its feed.",
  },
  address_refused: {
    status: 422,
    title: 'Address refused',
    meaning: 'The address leads to a private, loopback or otherwise special network.',
    remedy: 'Use a public address; an operator can allow networks with `MILLRACE_ALLOW_NETWORKS`.',
  },
  site_unreachable: {
    status: 422,
    title: 'Site not reachable',
    meaning: 'The address could not be read: no answer, an error, or a site that wants to be left alone for now.',
    remedy: 'Check the address, or try again later; `detail` has the reason.',
  },
  credentials_refused: {
    status: 422,
    title: 'Credentials refused',
    meaning: 'The platform was asked, and does not take these credentials; `detail` has its words.',
    remedy: 'Give credentials that work.',
  },
  platform_unreachable: {
    status: 422,
    title: 'Platform not reachable',
    meaning: 'Whether the credentials work could not be found out: the platform gives no answer, or none that helps.',
    remedy: 'Try again later, or store them unproved with `check: false`.',
  },
  content_refused: {
    status: 422,
    title: 'Content refused',
    meaning:
      'A platform will not take the content, or a file cannot be had; `errors` names the account and the field, and says by how much.',
    remedy: 'Correct the named fields, or leave the account out.',
  },
  invalid_opml: {
    status: 422,
    title: 'Invalid OPML',
    meaning: 'The document is not OPML, is nested too deeply, or lists too much at once.',
    remedy: 'Correct what `detail` says.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'The user, the admin key, or an address that tries keys has used up its requests, or the user its streams, for now.',
    remedy: 'Wait for as many seconds as `Retry-After` says.',
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
    meaning: 'Something unexpected happened on the server.',
    remedy: 'Try again later; the log holds the reason under the `requestId`.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    meaning: 'The server has too much to do for this request now, such as other large bodies that it is reading.',
    remedy: 'Wait for as many seconds as `Retry-After` says, then send it again.',
  },
  memory_low: {
    status: 503,
    title: 'Short of memory',
    meaning:
      'The process that got the request has nearly used up its memory and takes only light ones: no body of more than 64 kB, no import, no OPML, no feed for other readers and no download.',
    remedy: 'Wait for as many seconds as `Retry-After` says, then send it again.',
  },
  not_ready: {
    status: 503,
    title: 'Not ready',
    meaning: 'A part the server needs does not answer; `errors` names it where it is known.',
    remedy: 'Try again later; see the log for the reason.',
  },
  connections_exhausted: {
    status: 503,
    title: 'No database connection left',
    meaning: 'PostgreSQL takes no more connections, or none of this process became free in time.',
    remedy: 'Try again later; an operator raises `max_connections`, or runs fewer processes.',
  },
  disk_full: {
    status: 503,
    title: 'Disk full',
    meaning: 'The disk that holds the data is full. What is stored can still be read.',
    remedy: 'Try again later; an operator frees space on the disk of the database.',
  },
} as const satisfies Record<string, Description>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Returns the code for an error that a library reports by its status only. */
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
