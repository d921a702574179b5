// The types of the HTTP API, written from its OpenAPI document by `npm test -- test/contracts/api-types.test.ts -u`.

export interface paths {
  '/health/live': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content?: never }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/health/ready': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content?: never }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/users': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { externalId?: string; name?: string; userName?: string } } };
      responses: { 201: { headers: {}; content: { 'application/json': { id: string; externalId: string | null; name: string | null; userName: string | null; createdAt: string; lastSeenAt: string | null; active: boolean } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; externalId: string | null; name: string | null; userName: string | null; createdAt: string; lastSeenAt: string | null; active: boolean })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/users/me': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; externalId: string | null; name: string | null; userName: string | null; createdAt: string; lastSeenAt: string | null; active: boolean; scope: "admin" | "user" } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    patch: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { userName: string } } };
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; externalId: string | null; name: string | null; userName: string | null; createdAt: string; lastSeenAt: string | null; active: boolean; scope: "admin" | "user" } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/keys': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { userId?: string; scope?: "admin" | "user"; scopes?: ("read" | "write" | "publish" | "metrics" | "admin")[]; name?: string } } };
      responses: { 201: { headers: {}; content: { 'application/json': { id: string; userId: string; prefix: string; scope: "admin" | "user"; scopes: ("read" | "write" | "publish" | "metrics" | "admin")[]; name: string | null; createdAt: string; revokedAt: string | null; key: string } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    get: {
      parameters: { query?: { limit?: number; cursor?: string; userId?: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; userId: string; prefix: string; scope: "admin" | "user"; scopes: ("read" | "write" | "publish" | "metrics" | "admin")[]; name: string | null; createdAt: string; revokedAt: string | null })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/keys/{id}': {
    delete: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 204: { headers: {}; content?: never }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/app-passwords': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { name: string } } };
      responses: { 201: { headers: {}; content: { 'application/json': { id: string; userId: string; name: string; userName: string; createdAt: string; lastUsedAt: string | null; password: string } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; userId: string; name: string; userName: string; createdAt: string; lastUsedAt: string | null })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/app-passwords/{id}': {
    delete: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 204: { headers: {}; content?: never }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/session': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { key: string } } };
      responses: { 201: { headers: {}; content: { 'application/json': { userId: string; scope: "admin" | "user" } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    delete: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 204: { headers: {}; content?: never }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/session/links': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 201: { headers: {}; content: { 'application/json': { url: string; expiresAt: string } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/admin/sources': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; state?: "active" | "ok" | "failing" | "waiting" | "paused" | "gone"; type?: string; host?: string; error?: string; q?: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; type: string; externalId: string; title: string | null; host: string | null; followers: number; activeFollowers: number; state: "active" | "paused" | "failing" | "gone"; condition: { state: "ok" | "failing" | "waiting" | "paused" | "gone"; reason: string }; consecutiveFailures: number; failingSince: string | null; lastError: string | null; intervalSeconds: number | null; nextFetchAt: string | null; lastFetchAt: string | null; lastSuccessAt: string | null; createdAt: string; scheduleUrl: string })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/folders': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ folder: string; sources: number; unread: number })[]; nextCursor: string | null; total: { sources: number; unread: number } } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/sources/opml': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'text/x-opml': string; 'application/xml': string; 'text/xml': string; 'application/json': (string) | ({ opml: string }) } };
      responses: { 202: { headers: {}; content: { 'application/json': { followed: number; alreadyFollowed: number; failed: ({ title: string | null; xmlUrl: string; reason: string })[]; items: ({ id: string; type: string; externalId: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'text/x-opml': string } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/sources/follow': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { type?: string; externalId?: string; url?: string; folder?: string; title?: string; maxDelayMinutes?: number | null } } };
      responses: { 202: { headers: {}; content: { 'application/json': { id: string; type: string; externalId: string; title: string | null; siteUrl: string | null; iconUrl: string | null; folder: string | null; maxDelayMinutes: number | null; unread: number | null; followers: number; activeFollowers: number; priority: number | null; intervalSeconds: number | null; nextFetchAt: string | null; lastFetchAt: string | null; lastSuccessAt: string | null; lastError: string | null; consecutiveFailures: number; state: "active" | "paused" | "failing" | "gone"; condition: { state: "ok" | "failing" | "waiting" | "paused" | "gone"; reason: string }; lastPostAt: string | null; createdAt: string; because: (string)[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/sources/{id}/follow': {
    delete: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 204: { headers: {}; content?: never }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    put: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { folder?: string | null; title?: string | null; maxDelayMinutes: number | null } } };
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; type: string; externalId: string; title: string | null; siteUrl: string | null; iconUrl: string | null; folder: string | null; maxDelayMinutes: number | null; unread: number | null; followers: number; activeFollowers: number; priority: number | null; intervalSeconds: number | null; nextFetchAt: string | null; lastFetchAt: string | null; lastSuccessAt: string | null; lastError: string | null; consecutiveFailures: number; state: "active" | "paused" | "failing" | "gone"; condition: { state: "ok" | "failing" | "waiting" | "paused" | "gone"; reason: string }; lastPostAt: string | null; createdAt: string; because: (string)[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    patch: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { folder?: string | null; title?: string | null; maxDelayMinutes?: number | null } } };
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; type: string; externalId: string; title: string | null; siteUrl: string | null; iconUrl: string | null; folder: string | null; maxDelayMinutes: number | null; unread: number | null; followers: number; activeFollowers: number; priority: number | null; intervalSeconds: number | null; nextFetchAt: string | null; lastFetchAt: string | null; lastSuccessAt: string | null; lastError: string | null; consecutiveFailures: number; state: "active" | "paused" | "failing" | "gone"; condition: { state: "ok" | "failing" | "waiting" | "paused" | "gone"; reason: string }; lastPostAt: string | null; createdAt: string; because: (string)[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/sources/discover': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { url: string } } };
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ type: string; externalId: string; title: string | null })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/sources': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; state?: "active" | "paused" | "failing" | "gone"; condition?: "ok" | "failing" | "waiting" | "paused" | "gone"; type?: string; folder?: string; q?: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; type: string; externalId: string; title: string | null; siteUrl: string | null; iconUrl: string | null; folder: string | null; maxDelayMinutes: number | null; unread: number | null; followers: number; activeFollowers: number; priority: number | null; intervalSeconds: number | null; nextFetchAt: string | null; lastFetchAt: string | null; lastSuccessAt: string | null; lastError: string | null; consecutiveFailures: number; state: "active" | "paused" | "failing" | "gone"; condition: { state: "ok" | "failing" | "waiting" | "paused" | "gone"; reason: string }; lastPostAt: string | null; createdAt: string; because: (string)[] })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/sources/{id}': {
    get: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; type: string; externalId: string; title: string | null; siteUrl: string | null; iconUrl: string | null; folder: string | null; maxDelayMinutes: number | null; unread: number | null; followers: number; activeFollowers: number; priority: number | null; intervalSeconds: number | null; nextFetchAt: string | null; lastFetchAt: string | null; lastSuccessAt: string | null; lastError: string | null; consecutiveFailures: number; state: "active" | "paused" | "failing" | "gone"; condition: { state: "ok" | "failing" | "waiting" | "paused" | "gone"; reason: string }; lastPostAt: string | null; createdAt: string; because: (string)[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/posts/{id}': {
    get: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; sourceId: string; source: { id: string; type: string; title: string | null }; externalId: string; title: string | null; url: string | null; content: string; publishedAt: string; author: { username: string; displayName: string; avatarUrl?: string }; mediaUrls: (string)[]; media: ({ url: string; type?: string; alt?: string })[]; metrics?: { likes?: number; comments?: number; shares?: number }; read: boolean; starred: boolean } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/posts/{id}/read': {
    put: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: { content: { 'application/json': { read?: boolean } } };
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; read: boolean; starred: boolean } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    delete: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; read: boolean; starred: boolean } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/posts/{id}/star': {
    put: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: { content: { 'application/json': { starred?: boolean } } };
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; read: boolean; starred: boolean } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    delete: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; read: boolean; starred: boolean } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/sources/{id}/schedule': {
    get: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { policy: string; activeFollowers: number; priority: number | null; postsPerDay: number; intervalSeconds: number | null; nextFetchAt: string | null; because: (string)[]; terms: Record<string, (string) | (number) | null>; push: { state: "asked" | "verified" | "missed" | "refused" | "ending"; hub: string; leaseUntil: string | null; lastPushAt: string | null; lastError: string | null } | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/sources/{id}/fetches': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; cause: "schedule" | "reader" | "refresh" | "follow" | "push" | "import" | "replay" | null; result: string | null; error: string | null; attempt: number; startedAt: string; ms: number; host: string | null; status: number | null; bytes: number | null; found: number | null; new: number | null; updated: number | null; totalAvailable: number | null; skippedCount: number | null })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/icons/{token}': {
    get: {
      parameters: { query?: { v?: string }; path: { token: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'image/png': string; 'image/x-icon': string; 'image/gif': string; 'image/jpeg': string; 'image/webp': string; 'image/svg+xml': string } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/feed': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; source?: string; folder?: string; q?: string; unread?: "true" | "false"; starred?: "true" | "false" }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; sourceId: string; source: { id: string; type: string; title: string | null }; externalId: string; title: string | null; url: string | null; content: string; publishedAt: string; author: { username: string; displayName: string; avatarUrl?: string }; mediaUrls: (string)[]; media: ({ url: string; type?: string; alt?: string })[]; metrics?: { likes?: number; comments?: number; shares?: number }; read: boolean; starred: boolean })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/sources/{id}/posts': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; sourceId: string; source: { id: string; type: string; title: string | null }; externalId: string; title: string | null; url: string | null; content: string; publishedAt: string; author: { username: string; displayName: string; avatarUrl?: string }; mediaUrls: (string)[]; media: ({ url: string; type?: string; alt?: string })[]; metrics?: { likes?: number; comments?: number; shares?: number }; read: boolean; starred: boolean })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/feed/read-all': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: { content: { 'application/json': { source?: string; folder?: string } } };
      responses: { 200: { headers: {}; content: { 'application/json': { sources: number } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/feed/refresh': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: { content: { 'application/json': { source?: string } } };
      responses: { 202: { headers: {}; content: { 'application/json': { requested: number } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/feed/stream': {
    get: {
      parameters: { query?: { lastEventId?: string }; path?: never; header?: { 'Last-Event-ID'?: string }; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'text/event-stream': string } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/feed/token': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 201: { headers: {}; content: { 'application/json': { token: string; urls: { rss: string; atom: string; json: string } } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    delete: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 204: { headers: {}; content?: never }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/feed.rss': {
    get: {
      parameters: { query: { token: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/rss+xml; charset=utf-8': string } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/feed.atom': {
    get: {
      parameters: { query: { token: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/atom+xml; charset=utf-8': string } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/feed.json': {
    get: {
      parameters: { query: { token: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/feed+json; charset=utf-8': Record<string, unknown> } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/imports/start': {
    post: {
      parameters: { query?: { follow?: "true" | "false"; full?: "true" | "false"; fields?: "jobs" }; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { feeds?: (string)[]; opml?: string; follow?: boolean; full?: boolean; fields?: Record<string, (string) | ((string)[]) | ({ from: (string) | ((string)[]); required?: boolean })> }; 'text/x-opml': string; 'application/xml': string; 'text/xml': string } };
      responses: { 202: { headers: {}; content: { 'application/json': { id: string; status: "running" | "completed" | "failed" | "cancelled"; feeds: { total: number; done: number; failed: number }; items: { found: number; new: number; updated: number; unchanged: number; failed: number }; startedAt: string; completedAt: string | null; options: { follow: boolean; full: boolean; fields: Record<string, { from: (string)[]; required: boolean }> | null }; duplicateFeeds: number; rerunOf: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/imports': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; status?: "running" | "completed" | "failed" | "cancelled" }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; status: "running" | "completed" | "failed" | "cancelled"; feeds: { total: number; done: number; failed: number }; items: { found: number; new: number; updated: number; unchanged: number; failed: number }; startedAt: string; completedAt: string | null; options: { follow: boolean; full: boolean; fields: Record<string, { from: (string)[]; required: boolean }> | null }; duplicateFeeds: number; rerunOf: string | null })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/imports/{id}': {
    get: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; status: "running" | "completed" | "failed" | "cancelled"; feeds: { total: number; done: number; failed: number }; items: { found: number; new: number; updated: number; unchanged: number; failed: number }; startedAt: string; completedAt: string | null; options: { follow: boolean; full: boolean; fields: Record<string, { from: (string)[]; required: boolean }> | null }; duplicateFeeds: number; rerunOf: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/imports/{id}/stream': {
    get: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'text/event-stream': string } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/imports/{id}/cancel': {
    post: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; status: "running" | "completed" | "failed" | "cancelled"; feeds: { total: number; done: number; failed: number }; items: { found: number; new: number; updated: number; unchanged: number; failed: number }; startedAt: string; completedAt: string | null; options: { follow: boolean; full: boolean; fields: Record<string, { from: (string)[]; required: boolean }> | null }; duplicateFeeds: number; rerunOf: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/imports/{id}/rerun': {
    post: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: { content: { 'application/json': { only?: "failed" } } };
      responses: { 202: { headers: {}; content: { 'application/json': { id: string; status: "running" | "completed" | "failed" | "cancelled"; feeds: { total: number; done: number; failed: number }; items: { found: number; new: number; updated: number; unchanged: number; failed: number }; startedAt: string; completedAt: string | null; options: { follow: boolean; full: boolean; fields: Record<string, { from: (string)[]; required: boolean }> | null }; duplicateFeeds: number; rerunOf: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/imports/{id}/feeds': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; status?: "queued" | "fetching" | "storing" | "done" | "failed" | "cancelled" }; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; url: string; sourceId: string | null; status: "queued" | "fetching" | "storing" | "done" | "failed" | "cancelled"; error: string | null; items: { found: number; new: number; updated: number; unchanged: number; failed: number }; startedAt: string | null; completedAt: string | null })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/imports/{id}/items': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; status?: "new" | "updated" | "unchanged" | "failed"; feed?: string; 'field.name'?: string }; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: (({ postId: string; sourceId: string | null; externalId: string | null; identity: string | null; feedId: string; status: "new" | "updated" | "unchanged"; title: string | null; url: string | null; publishedAt: string | null; fields: Record<string, (string) | ((string)[])> | null }) | ({ id: string; feedId: string; externalId: string | null; identity: string | null; place: number; reason: string; failedAt: string; deadLetterId: string | null }))[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/jobs/scrape': {
    post: {
      parameters: { query?: never; path?: never; header?: { 'Idempotency-Key'?: string }; cookie?: never };
      requestBody: { content: { 'application/json': { industry?: string | null; geography?: string | null; keywords?: (string)[] | null; source_types: (string)[]; search_query?: string | null; filters?: Record<string, unknown> | null } } };
      responses: { 202: { headers: {}; content: { 'application/json': { id: string; status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled"; total_found: number; total_processed: number; duplicates: number; error: string | null; created_at: string; started_at: string | null; completed_at: string | null; rerun_of: string | null; by_source: ({ source_type: string; status: "queued" | "running" | "completed" | "failed" | "cancelled"; found: number; processed: number; duplicates: number; error: string | null; ignored_filters: (string)[]; started_at: string | null; completed_at: string | null })[]; industry: string | null; geography: string | null; keywords: (string)[]; source_types: (string)[]; search_query: string | null; filters: Record<string, unknown> } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    get: {
      parameters: { query?: { limit?: number; cursor?: string; status?: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled"; source_type?: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled"; total_found: number; total_processed: number; duplicates: number; error: string | null; created_at: string; started_at: string | null; completed_at: string | null; rerun_of: string | null; by_source: ({ source_type: string; status: "queued" | "running" | "completed" | "failed" | "cancelled"; found: number; processed: number; duplicates: number; error: string | null; ignored_filters: (string)[]; started_at: string | null; completed_at: string | null })[]; industry: string | null; geography: string | null; keywords: (string)[]; source_types: (string)[]; search_query: string | null; filters: Record<string, unknown> })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/jobs/scrape/{id}': {
    get: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled"; total_found: number; total_processed: number; duplicates: number; error: string | null; created_at: string; started_at: string | null; completed_at: string | null; rerun_of: string | null; by_source: ({ source_type: string; status: "queued" | "running" | "completed" | "failed" | "cancelled"; found: number; processed: number; duplicates: number; error: string | null; ignored_filters: (string)[]; started_at: string | null; completed_at: string | null })[]; industry: string | null; geography: string | null; keywords: (string)[]; source_types: (string)[]; search_query: string | null; filters: Record<string, unknown> } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/jobs/scrape/{id}/stream': {
    get: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'text/event-stream': string } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/jobs/scrape/{id}/cancel': {
    post: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled"; total_found: number; total_processed: number; duplicates: number; error: string | null; created_at: string; started_at: string | null; completed_at: string | null; rerun_of: string | null; by_source: ({ source_type: string; status: "queued" | "running" | "completed" | "failed" | "cancelled"; found: number; processed: number; duplicates: number; error: string | null; ignored_filters: (string)[]; started_at: string | null; completed_at: string | null })[]; industry: string | null; geography: string | null; keywords: (string)[]; source_types: (string)[]; search_query: string | null; filters: Record<string, unknown> } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/jobs/scrape/{id}/rerun': {
    post: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 202: { headers: {}; content: { 'application/json': { id: string; status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled"; total_found: number; total_processed: number; duplicates: number; error: string | null; created_at: string; started_at: string | null; completed_at: string | null; rerun_of: string | null; by_source: ({ source_type: string; status: "queued" | "running" | "completed" | "failed" | "cancelled"; found: number; processed: number; duplicates: number; error: string | null; ignored_filters: (string)[]; started_at: string | null; completed_at: string | null })[]; industry: string | null; geography: string | null; keywords: (string)[]; source_types: (string)[]; search_query: string | null; filters: Record<string, unknown> } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/leads': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; q?: string; source_type?: string; country?: string; format?: "json" | "csv" | "jsonl" }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; name: string; domain: string | null; emails: (string)[]; phones: (string)[]; address: string | null; country: string | null; description: string | null; url: string | null; source_type: string; raw_payload: unknown; scraped_at: string })[]; nextCursor: string | null }; 'text/csv': string; 'application/jsonl': { items: ({ id: string; name: string; domain: string | null; emails: (string)[]; phones: (string)[]; address: string | null; country: string | null; description: string | null; url: string | null; source_type: string; raw_payload: unknown; scraped_at: string })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/jobs/scrape/{id}/leads': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; q?: string; source_type?: string; country?: string; format?: "json" | "csv" | "jsonl"; duplicates?: "true" | "false" }; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; name: string; domain: string | null; emails: (string)[]; phones: (string)[]; address: string | null; country: string | null; description: string | null; url: string | null; source_type: string; raw_payload: unknown; scraped_at: string })[]; nextCursor: string | null }; 'text/csv': string; 'application/jsonl': { items: ({ id: string; name: string; domain: string | null; emails: (string)[]; phones: (string)[]; address: string | null; country: string | null; description: string | null; url: string | null; source_type: string; raw_payload: unknown; scraped_at: string })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/accounts': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { platform: "facebook" | "instagram" | "linkedin" | "youtube" | "mastodon" | "bluesky" | "webhook"; name: string; credentials: Record<string, unknown>; slots?: { timezone: string; times: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; time: string })[] }; check?: boolean } } };
      responses: { 201: { headers: {}; content: { 'application/json': { id: string; platform: string; name: string; status: "active" | "broken"; lastError: string | null; platformId: string | null; platformName: string | null; checkedAt: string | null; closedUntil: string | null; closedBecause: string | null; slots: { timezone: string; times: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; time: string })[] } | null; createdAt: string } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; platform: string; name: string; status: "active" | "broken"; lastError: string | null; platformId: string | null; platformName: string | null; checkedAt: string | null; closedUntil: string | null; closedBecause: string | null; slots: { timezone: string; times: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; time: string })[] } | null; createdAt: string })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/accounts/{id}': {
    get: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; platform: string; name: string; status: "active" | "broken"; lastError: string | null; platformId: string | null; platformName: string | null; checkedAt: string | null; closedUntil: string | null; closedBecause: string | null; slots: { timezone: string; times: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; time: string })[] } | null; createdAt: string } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    patch: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { name?: string; credentials?: Record<string, unknown>; slots?: { timezone: string; times: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; time: string })[] } | null; check?: boolean } } };
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; platform: string; name: string; status: "active" | "broken"; lastError: string | null; platformId: string | null; platformName: string | null; checkedAt: string | null; closedUntil: string | null; closedBecause: string | null; slots: { timezone: string; times: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; time: string })[] } | null; createdAt: string } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    delete: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 204: { headers: {}; content?: never }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/accounts/{id}/check': {
    post: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; platform: string; name: string; status: "active" | "broken"; lastError: string | null; platformId: string | null; platformName: string | null; checkedAt: string | null; closedUntil: string | null; closedBecause: string | null; slots: { timezone: string; times: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; time: string })[] } | null; createdAt: string } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/accounts/{id}/slots': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; from?: string }; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ at: string; localTime: string; timezone: string; free: boolean; publicationId: string | null })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/publications/stream': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'text/event-stream': string } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/publications': {
    post: {
      parameters: { query?: never; path?: never; header?: { 'Idempotency-Key'?: string }; cookie?: never };
      requestBody: { content: { 'application/json': { accountId?: string; accountIds?: (string)[]; content: { text?: string; mediaUrls?: (string)[]; link?: string; title?: string }; scheduledAt?: string; localTime?: string; timezone?: string; slot?: "next"; priority?: "high" | "normal" | "low"; expiresAt?: string; checkMedia?: boolean } } };
      responses: { 202: { headers: {}; content: { 'application/json': ({ id: string; accountId: string; platform: string; groupId: string | null; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; content: { text: string; mediaUrls: (string)[]; link?: string; title?: string }; version: number; priority: "high" | "normal" | "low"; scheduledAt: string; localTime: string | null; timezone: string | null; slot: boolean; expiresAt: string | null; attempts: number; platformPostId: string | null; platformUrl: string | null; waitingFor: string | null; waitsUntil: string | null; lastError: string | null; processedBy: string | null; createdAt: string; publishedAt: string | null; history: ({ at: string; from: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown" | null; to: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; reason: string })[] }) | ({ items: ({ id: string; accountId: string; platform: string; groupId: string | null; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; content: { text: string; mediaUrls: (string)[]; link?: string; title?: string }; version: number; priority: "high" | "normal" | "low"; scheduledAt: string; localTime: string | null; timezone: string | null; slot: boolean; expiresAt: string | null; attempts: number; platformPostId: string | null; platformUrl: string | null; waitingFor: string | null; waitsUntil: string | null; lastError: string | null; processedBy: string | null; createdAt: string; publishedAt: string | null; history: ({ at: string; from: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown" | null; to: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; reason: string })[] })[] }) } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    get: {
      parameters: { query?: { limit?: number; cursor?: string; status?: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; account?: string; priority?: "high" | "normal" | "low"; from?: string; to?: string; order?: "newest" | "due" }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; accountId: string; platform: string; groupId: string | null; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; content: { text: string; mediaUrls: (string)[]; link?: string; title?: string }; version: number; priority: "high" | "normal" | "low"; scheduledAt: string; localTime: string | null; timezone: string | null; slot: boolean; expiresAt: string | null; attempts: number; platformPostId: string | null; platformUrl: string | null; waitingFor: string | null; waitsUntil: string | null; lastError: string | null; processedBy: string | null; createdAt: string; publishedAt: string | null; history: ({ at: string; from: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown" | null; to: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; reason: string })[] })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/publications/bulk': {
    post: {
      parameters: { query?: never; path?: never; header?: { 'Idempotency-Key'?: string }; cookie?: never };
      requestBody: { content: { 'application/json': { posts?: (Record<string, unknown>)[]; csv?: string }; 'text/csv': string } };
      responses: { 202: { headers: {}; content: { 'application/json': { posts: number; publications: number; due: number; scheduled: number; platforms: Record<string, number>; ids: (string)[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/publications/{id}': {
    get: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; accountId: string; platform: string; groupId: string | null; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; content: { text: string; mediaUrls: (string)[]; link?: string; title?: string }; version: number; priority: "high" | "normal" | "low"; scheduledAt: string; localTime: string | null; timezone: string | null; slot: boolean; expiresAt: string | null; attempts: number; platformPostId: string | null; platformUrl: string | null; waitingFor: string | null; waitsUntil: string | null; lastError: string | null; processedBy: string | null; createdAt: string; publishedAt: string | null; history: ({ at: string; from: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown" | null; to: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; reason: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    patch: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { content?: { text?: string; mediaUrls?: (string)[]; link?: string; title?: string }; scheduledAt?: string; localTime?: string; timezone?: string; slot?: "next"; priority?: "high" | "normal" | "low"; expiresAt?: string | null; checkMedia?: boolean } } };
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; accountId: string; platform: string; groupId: string | null; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; content: { text: string; mediaUrls: (string)[]; link?: string; title?: string }; version: number; priority: "high" | "normal" | "low"; scheduledAt: string; localTime: string | null; timezone: string | null; slot: boolean; expiresAt: string | null; attempts: number; platformPostId: string | null; platformUrl: string | null; waitingFor: string | null; waitsUntil: string | null; lastError: string | null; processedBy: string | null; createdAt: string; publishedAt: string | null; history: ({ at: string; from: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown" | null; to: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; reason: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    delete: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; accountId: string; platform: string; groupId: string | null; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; content: { text: string; mediaUrls: (string)[]; link?: string; title?: string }; version: number; priority: "high" | "normal" | "low"; scheduledAt: string; localTime: string | null; timezone: string | null; slot: boolean; expiresAt: string | null; attempts: number; platformPostId: string | null; platformUrl: string | null; waitingFor: string | null; waitsUntil: string | null; lastError: string | null; processedBy: string | null; createdAt: string; publishedAt: string | null; history: ({ at: string; from: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown" | null; to: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; reason: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/publications/{id}/publish-now': {
    post: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 202: { headers: {}; content: { 'application/json': { id: string; accountId: string; platform: string; groupId: string | null; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; content: { text: string; mediaUrls: (string)[]; link?: string; title?: string }; version: number; priority: "high" | "normal" | "low"; scheduledAt: string; localTime: string | null; timezone: string | null; slot: boolean; expiresAt: string | null; attempts: number; platformPostId: string | null; platformUrl: string | null; waitingFor: string | null; waitsUntil: string | null; lastError: string | null; processedBy: string | null; createdAt: string; publishedAt: string | null; history: ({ at: string; from: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown" | null; to: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; reason: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/publications/{id}/resolve': {
    post: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': ({ outcome: "published"; platformPostId?: string; platformUrl?: string }) | ({ outcome: "not_published"; retry: boolean }) } };
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; accountId: string; platform: string; groupId: string | null; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; content: { text: string; mediaUrls: (string)[]; link?: string; title?: string }; version: number; priority: "high" | "normal" | "low"; scheduledAt: string; localTime: string | null; timezone: string | null; slot: boolean; expiresAt: string | null; attempts: number; platformPostId: string | null; platformUrl: string | null; waitingFor: string | null; waitsUntil: string | null; lastError: string | null; processedBy: string | null; createdAt: string; publishedAt: string | null; history: ({ at: string; from: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown" | null; to: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; reason: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/publications/{id}/retry': {
    post: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 202: { headers: {}; content: { 'application/json': { id: string; accountId: string; platform: string; groupId: string | null; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; content: { text: string; mediaUrls: (string)[]; link?: string; title?: string }; version: number; priority: "high" | "normal" | "low"; scheduledAt: string; localTime: string | null; timezone: string | null; slot: boolean; expiresAt: string | null; attempts: number; platformPostId: string | null; platformUrl: string | null; waitingFor: string | null; waitsUntil: string | null; lastError: string | null; processedBy: string | null; createdAt: string; publishedAt: string | null; history: ({ at: string; from: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown" | null; to: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; reason: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/platforms': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ name: string; label: string; accepts: { text: { most: number | null; unit: "characters" | "bytes" }; title: { most: number; required: boolean } | null; media: { least: number; most: number | null; kinds: ("image" | "video" | "audio")[] | null } }; limits: { platform: { most: number; windowSeconds: number } | null; user: { most: number; windowSeconds: number } | null }; remaining: { platform: number | null; user: number | null }; availableAt: string | null; poolSize: number | null; due: { all: number; yours: number }; counts: { high: number; normal: number; low: number; retrying: number; dead: number } })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/restore-check': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { state: "none" | "held" | "released"; reason: string | null; backupAt: string | null; heldAt: string | null; releasedAt: string | null; remaining: number; counts: { published: number; to_send: number; unknown: number; unread: number }; results: ({ publicationId: string; platform: string; account: string; scheduledAt: string; text: string; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; outcome: "published" | "to_send" | "unknown" | "unread"; reason: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { retry?: boolean; finish?: boolean } } };
      responses: { 200: { headers: {}; content: { 'application/json': { state: "none" | "held" | "released"; reason: string | null; backupAt: string | null; heldAt: string | null; releasedAt: string | null; remaining: number; counts: { published: number; to_send: number; unknown: number; unread: number }; results: ({ publicationId: string; platform: string; account: string; scheduledAt: string; text: string; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; outcome: "published" | "to_send" | "unknown" | "unread"; reason: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/restore-check/hold': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { backupAt: string } } };
      responses: { 200: { headers: {}; content: { 'application/json': { state: "none" | "held" | "released"; reason: string | null; backupAt: string | null; heldAt: string | null; releasedAt: string | null; remaining: number; counts: { published: number; to_send: number; unknown: number; unread: number }; results: ({ publicationId: string; platform: string; account: string; scheduledAt: string; text: string; status: "scheduled" | "queued" | "publishing" | "published" | "failed" | "expired" | "cancelled" | "unknown"; outcome: "published" | "to_send" | "unknown" | "unread"; reason: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/dead-letters': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; state?: "open" | "replayed" | "discarded"; queue?: string; jobName?: string; reason?: string; failedAfter?: string; failedBefore?: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; queue: string; jobName: string; payload: unknown; reason: string; attempts: number; firstFailedAt: string; lastFailedAt: string; history: ({ at: string; reason: string })[]; state: "open" | "replayed" | "discarded"; closedAt: string | null; links: { self: string; replayOf: string | null } })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/dead-letters/{id}': {
    get: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; queue: string; jobName: string; payload: unknown; reason: string; attempts: number; firstFailedAt: string; lastFailedAt: string; history: ({ at: string; reason: string })[]; state: "open" | "replayed" | "discarded"; closedAt: string | null; links: { self: string; replayOf: string | null } } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/dead-letters/{id}/replay': {
    post: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 202: { headers: {}; content: { 'application/json': { id: string; queue: string; jobName: string; payload: unknown; reason: string; attempts: number; firstFailedAt: string; lastFailedAt: string; history: ({ at: string; reason: string })[]; state: "open" | "replayed" | "discarded"; closedAt: string | null; links: { self: string; replayOf: string | null } } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/dead-letters/{id}/discard': {
    post: {
      parameters: { query?: never; path: { id: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { id: string; queue: string; jobName: string; payload: unknown; reason: string; attempts: number; firstFailedAt: string; lastFailedAt: string; history: ({ at: string; reason: string })[]; state: "open" | "replayed" | "discarded"; closedAt: string | null; links: { self: string; replayOf: string | null } } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/dead-letters/replay': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { queue?: string; jobName?: string; reason?: string; failedAfter?: string; failedBefore?: string; ids?: (string)[] } } };
      responses: { 202: { headers: {}; content: { 'application/json': { replayed: number; refused: ({ id: string; why: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/dead-letters/discard': {
    post: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { queue?: string; jobName?: string; reason?: string; failedAfter?: string; failedBefore?: string; ids?: (string)[] } } };
      responses: { 200: { headers: {}; content: { 'application/json': { discarded: number; refused: ({ id: string; why: string })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/health': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { status: "healthy" | "warning" | "critical"; checkedAt: string; stats: { workers: { available: number; expected: number }; queues: { waiting: number; waitingRows: number; active: number; delayed: number; failedLastHour: number }; jobs: { donePerMinute: number; failedPerMinute: number; errorRate: number }; features: ({ feature: string; ended: number; failed: number; errorRate: number })[]; fetching: { sources: number; active: number; failing: number; paused: number; gone: number; stale: number; medianDelaySeconds: number | null; p95DelaySeconds: number | null }; freshness: { medianDelaySeconds: number | null; p95DelaySeconds: number | null; fetches: number; emptyFetches: number; savedFetches: number; fetchesPerHour: number; budgetPerHour: number | null; price: number | null }; publishing: { due: number; oldestDueSeconds: number | null; publishedLastHour: number; failedLastHour: number; successRate: number | null; pools: { busy: number; size: number; utilisation: number | null } }; deadLetters: { open: number }; dependencies: ({ name: "postgres" | "redis" | "rabbitmq"; status: "up" | "down"; detail: string | null })[]; rabbitmq: { source: "management" | "passive_declare"; error: string | null; queues: ({ name: string; ready: number | null; unacknowledged: number | null; consumers: number | null; publishedPerSecond: number | null; deliveredPerSecond: number | null; acknowledgedPerSecond: number | null })[] } | null; canaries: ({ queue: string; ageSeconds: number | null; roundTripMs: number | null })[] }; alerts: ({ code: string; subject: string | null; severity: "warning" | "critical"; message: string; since: string; link: string | null })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/health/stream': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'text/event-stream': string } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/health/series': {
    get: {
      parameters: { query?: { minutes?: number }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { stepSeconds: number; jobs: ({ at: string; done: number; failed: number; retried: number })[]; delay: ({ at: string; posts: number; medianSeconds: number | null; p95Seconds: number | null })[] } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/hosts': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; q?: string; all?: "true" | "false" }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ host: string; requestsPerMinute: number | null; origin: "environment" | "set" | "header" | "refusal" | null; because: string | null; usedLastMinute: number | null; nextTurnAt: string | null; closedUntil: string | null; closedBecause: string | null; sources: number; activeSources: number })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/hosts/{host}': {
    get: {
      parameters: { query?: never; path: { host: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { host: string; requestsPerMinute: number | null; origin: "environment" | "set" | "header" | "refusal" | null; because: string | null; usedLastMinute: number | null; nextTurnAt: string | null; closedUntil: string | null; closedBecause: string | null; sources: number; activeSources: number } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    put: {
      parameters: { query?: never; path: { host: string }; header?: never; cookie?: never };
      requestBody: { content: { 'application/json': { requestsPerMinute: number | null } } };
      responses: { 200: { headers: {}; content: { 'application/json': { host: string; requestsPerMinute: number | null; origin: "environment" | "set" | "header" | "refusal" | null; because: string | null; usedLastMinute: number | null; nextTurnAt: string | null; closedUntil: string | null; closedBecause: string | null; sources: number; activeSources: number } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
    delete: {
      parameters: { query?: never; path: { host: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 204: { headers: {}; content?: never }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/queues': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ name: string; paused: boolean; waiting: number; waitingRows: number; active: number; delayed: number; oldestWaitingSeconds: number | null; donePerMinute: number; failedPerMinute: number; retriedPerMinute: number; meanMs: number | null })[]; nextCursor: string | null; rabbitmq: { source: "management" | "passive_declare"; error: string | null; queues: ({ name: string; ready: number | null; unacknowledged: number | null; consumers: number | null; publishedPerSecond: number | null; deliveredPerSecond: number | null; acknowledgedPerSecond: number | null })[] } | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/queues/{name}/pause': {
    post: {
      parameters: { query?: never; path: { name: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { name: string; paused: boolean; waiting: number; waitingRows: number; active: number; delayed: number; oldestWaitingSeconds: number | null; donePerMinute: number; failedPerMinute: number; retriedPerMinute: number; meanMs: number | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/queues/{name}/resume': {
    post: {
      parameters: { query?: never; path: { name: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { name: string; paused: boolean; waiting: number; waitingRows: number; active: number; delayed: number; oldestWaitingSeconds: number | null; donePerMinute: number; failedPerMinute: number; retriedPerMinute: number; meanMs: number | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/queues/{name}/clean': {
    post: {
      parameters: { query?: never; path: { name: string }; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { removed: number; queue: { name: string; paused: boolean; waiting: number; waitingRows: number; active: number; delayed: number; oldestWaitingSeconds: number | null; donePerMinute: number; failedPerMinute: number; retriedPerMinute: number; meanMs: number | null } } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/runs': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; queue?: string; outcome?: string; result?: string; feature?: string; failed?: "true" | "false"; subject?: string }; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; queue: string; feature: string; jobId: string; subject: string; attempt: number; outcome: "done" | "nothing-to-do" | "superseded" | "given-back" | "later" | "failed" | "retried"; result: string | null; cause: string | null; target: string | null; details: Record<string, (string) | (number) | (boolean) | null> | null; reason: string | null; startedAt: string; ms: number; waitedMs: number | null; worker: string; deadLetterId: string | null })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
  '/api/v1/workers': {
    get: {
      parameters: { query?: never; path?: never; header?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { 'application/json': { items: ({ id: string; host: string; pid: number; roles: (string)[]; version: string; startedAt: string; lastSeenAt: string; running: ({ queue: string; running: number; concurrency: number; jobs: ({ jobId: string; subject: string; startedAt: string })[] })[] })[]; nextCursor: string | null } } }; 'default': { headers: {}; content: { 'application/problem+json': components['schemas']['Problem'] } } };
    };
  };
}

export interface components {
  schemas: {
    Problem: { type: string; title: string; status: number; code: string; detail: string; errors?: ({ path: string; message: string })[]; requestId: string };
  };
}
