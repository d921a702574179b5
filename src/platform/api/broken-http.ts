import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.js';
import { ERROR_CODES, type ErrorCode } from '../errors/error-codes.js';
import { PROBLEM_TYPE, toProblem } from '../errors/problem.js';
import { requestId } from './request-id.js';

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers bytes that are no HTTP request, when there is nothing but the socket to answer on. */
export function refuseBrokenHttp(reason: string, socket: Socket): void {
  if (!socket.writable || reason === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code = CODES[reason] ?? 'bad_request';
  const { status, title, meaning } = ERROR_CODES[code];
  const id = requestId({ headers: {} });
  const body = JSON.stringify(toProblem(new ApiError(code, meaning), id));
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  // `end` would wait for the other side to close as well, which it may never do.
  socket.destroySoon();
}
