import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ParleyError } from '@parley/sdk';
import { errorAnswer } from './error-mapping.ts';

// A named `import` of this module reads all its exports, which loads the whole of Node's fetch.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Answers input that is not HTTP, too slow or with too many headers, for which there is no request object. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const { status, body } = errorAnswer(refusalOf(error.code), randomUUID());
    const text = JSON.stringify(body);
    socket.write(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(text)}`,
        'connection: close',
        '',
        text,
      ].join('\r\n'),
    );
  }
  socket.destroy(error);
}

function refusalOf(code: string | undefined): ParleyError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ParleyError('too_large', 'The headers are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ParleyError('invalid_request', 'The request did not arrive in time');
  }
  return new ParleyError('invalid_request', 'The request is not HTTP');
}
