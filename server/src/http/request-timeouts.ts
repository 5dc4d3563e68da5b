import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { answerClientError } from './client-error.ts';
import { expectedBytes, hasBody } from './request-body.ts';

/** How long a request may take to arrive, headers and body together, milliseconds. */
export interface RequestTimeouts {
  /** Must also be set as `requestTimeout` of the server. */
  defaults: number;
  /** For uploads and for bodies of more than `largeBytes`. */
  large: number;
  largeBytes: number;
}

/** A request whose body is arriving. */
interface Arriving {
  request: IncomingMessage;
  response: ServerResponse;
  isLarge: boolean;
}

/**
 * Ends requests that do not arrive in time. Node.js measures from the first byte, with one limit per server: uploads
 * over slow connections get the remaining time afterwards.
 */
export class RequestTimes {
  readonly #timeouts: RequestTimeouts;
  readonly #arriving = new WeakMap<Socket, Arriving>();

  constructor(timeouts: RequestTimeouts) {
    this.#timeouts = timeouts;
  }

  watch(server: FastifyInstance): void {
    server.addHook('onRequest', (request, { raw: response }, done) => {
      if (hasBody(request)) {
        const isLarge =
          request.routeOptions.config.idempotency === 'upload' || expectedBytes(request) > this.#timeouts.largeBytes;
        const { socket } = request.raw;
        this.#arriving.set(socket, { request: request.raw, response, isLarge });
        request.raw.once('end', () => this.#arriving.delete(socket));
      }
      done();
    });
  }

  /** Handles client errors, for which there may be no request. */
  readonly handle = (error: NodeJS.ErrnoException, socket: Socket): void => {
    const arriving = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? this.#arriving.get(socket) : undefined;
    if (arriving?.isLarge !== true) {
      this.#end(error, socket, arriving);
      return;
    }
    const { defaults, large } = this.#timeouts;
    const timer = setTimeout(() => this.#end(error, socket, arriving), large - defaults).unref();
    const arrived = () => clearTimeout(timer);
    arriving.request.once('end', arrived).once('close', arrived);
  };

  #end(error: Error, socket: Socket, arriving: Arriving | undefined): void {
    // Answered already, though the body was still arriving.
    if (arriving?.response.headersSent === true) socket.destroy(error);
    else answerClientError(error, socket);
  }
}
