import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';

/** A strong tag: two equal tags mean two equal bodies. */
export const entityTag = (body: string | Uint8Array) =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** Weak tags are accepted as well, because proxies that compress a body make the tag weak. */
function isKnownTag(etag: string, ifNoneMatch = ''): boolean {
  const known = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

/** Answers with 304 and no body where the client has this body already. */
export function sendTagged(
  reply: FastifyReply,
  { type, body, etag }: { type: string; body: string | Buffer; etag: string },
) {
  reply.header('ETag', etag);
  if (isKnownTag(etag, reply.request.headers['if-none-match'])) return reply.status(304).send();
  return reply.type(type).send(body);
}

/** For a handler whose answer is the same for a while. */
@Injectable()
export class EntityTags implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((value: unknown) => {
        const etag = entityTag(JSON.stringify(value));
        reply.header('ETag', etag).header('Cache-Control', 'private, no-cache');
        if (!isKnownTag(etag, reply.request.headers['if-none-match'])) return value;
        reply.status(304);
        return undefined;
      }),
    );
  }
}
