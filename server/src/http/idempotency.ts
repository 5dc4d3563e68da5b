import { createHash } from 'node:crypto';
import { invalidFields, type Logger, ParleyError } from '@parley/sdk';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import Type from 'typebox';
import { principalName } from '../core/accounts/authenticator.ts';
import type { IdempotencyService } from '../core/idempotency/idempotency-service.ts';
import type { BegunRequest, RequestName, StoredResponse } from '../core/idempotency/idempotency-store.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { fingerprint } from '../lib/token.ts';
import { principalOf } from './access.ts';
import { errorAnswer } from './error-mapping.ts';
import { shapedError } from './model-api-errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Of a POST: false if responses contain secrets, which are not stored; `upload` if the handler itself determines
     * what was sent and reports it with {@link followUpload}.
     */
    idempotency?: false | 'upload';
  }
  interface FastifyRequest {
    /** Set if the request has an idempotency key. */
    once: OnceRequest | null;
  }
}

export interface IdempotencyOptions {
  service: IdempotencyService;
  logger: Logger;
}

const header = 'idempotency-key';
const keyShape = /^[\x21-\x7e]{1,255}$/;

const KeyHeader = Type.Object({
  [header]: Type.Optional(
    Type.String({
      pattern: keyShape.source,
      description:
        'Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was ' +
        'answered first is answered again.',
    }),
  ),
});

/** Client errors that are not stored: a retry may succeed, or no client received the response. */
const passingRefusals = new Set([429, 499]);

/** Supports idempotency keys on every POST, so that clients can retry requests without a response. */
export function keepAnswers(server: FastifyInstance, options: IdempotencyOptions): void {
  server.decorateRequest('once', null);
  server.addHook('onRoute', (route) => {
    const { access, idempotency } = route.config ?? {};
    if (route.method !== 'POST' || access === 'open' || idempotency === false) return;
    route.schema = {
      ...route.schema,
      headers: KeyHeader,
      response: {
        409: Type.Ref('ErrorResponse'),
        422: Type.Ref('ErrorResponse'),
        ...(route.schema?.response as object | undefined),
      },
    };
    route.handler = answeringOnce(route, options);
  });
}

/** The stored response. */
class AnsweredBefore extends Error {
  readonly answer: StoredResponse;

  constructor(answer: StoredResponse) {
    super('the request was answered before');
    this.answer = answer;
  }
}

/** Whether a handler must rethrow an error unchanged. */
export function isAnsweredBefore(error: unknown): error is Error {
  return error instanceof AnsweredBefore;
}

/** A request with an idempotency key. */
class OnceRequest {
  readonly #service: IdempotencyService;
  readonly #name: RequestName;
  #begun: BegunRequest | null = null;

  constructor(service: IdempotencyService, name: RequestName) {
    this.#service = service;
    this.#name = name;
  }

  /** @throws AnsweredBefore; ParleyError if there is no stored response to return */
  async begin(hash: string): Promise<void> {
    const outcome = await this.#service.begin(this.#name, hash);
    if ('answer' in outcome) throw new AnsweredBefore(outcome.answer);
    this.#begun = outcome.begun;
  }

  /** @param answer null if a retry may succeed */
  async end(answer: StoredResponse | null): Promise<void> {
    const begun = this.#begun;
    if (begun === null) return;
    await (answer === null ? this.#service.forget(begun) : this.#service.finish(begun, answer));
  }
}

function answeringOnce(route: RouteOptions, { service, logger }: IdempotencyOptions): RouteHandlerMethod {
  const { handler, url } = route;
  const isUpload = route.config?.idempotency === 'upload';

  /** The response is sent whether or not it could be stored. */
  const end = async (request: FastifyRequest, once: OnceRequest, answer: StoredResponse | null) => {
    try {
      await once.end(answer);
    } catch (error) {
      logger.error({ error, request_id: request.id }, 'failed to store the response for an idempotency key');
    }
  };

  return async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const key = request.headers[header];
    if (key === undefined) return handler.call(this, request, reply);
    if (typeof key !== 'string' || !keyShape.test(key)) {
      throw invalidFields([{ path: header, message: 'must be 1 to 255 visible characters of ASCII' }]);
    }
    const principal = principalName(principalOf(request));
    const once = new OnceRequest(service, { principal, route: `POST ${filled(url, request)}`, key });
    request.once = once;
    let answer: unknown;
    try {
      if (!isUpload) await once.begin(hashOf(request));
      answer = await handler.call(this, request, reply);
    } catch (error) {
      if (error instanceof AnsweredBefore) {
        const { status, text } = error.answer;
        return reply
          .code(status)
          .header('idempotency-replayed', 'true')
          .type('application/json; charset=utf-8')
          .send(text);
      }
      const { status, body } = shapedError(request.url, errorAnswer(error, request.id));
      const isStored = status < 500 && !passingRefusals.has(status);
      await end(request, once, isStored ? { status, text: JSON.stringify(body) } : null);
      throw error;
    }
    // A handler that replied by itself left nothing to store.
    const isStored = answer !== undefined && !reply.sent;
    await end(request, once, isStored ? { status: reply.statusCode, text: JSON.stringify(answer) } : null);
    return answer;
  } as RouteHandlerMethod;
}

/** The path of a route with the parameters of the request, in the canonical spelling of ids. */
function filled(url: string, request: FastifyRequest): string {
  const parameters = request.params as Record<string, unknown>;
  return url.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(parameters[name]).toLowerCase()));
}

function hashOf(request: FastifyRequest): string {
  try {
    return fingerprint(canonicalJson({ query: request.query, body: request.body ?? null }));
  } catch (error) {
    throw new ParleyError('invalid_request', 'The body is nested too deeply', { cause: error });
  }
}

/** An incoming file. */
interface Upload {
  filename: string | undefined;
  mimetype: string;
  file: AsyncIterable<Uint8Array>;
}

/**
 * Hashes the file of a request while it is read, to detect whether it was sent before.
 * @returns the content, and a function to call after it was read and before it is used; its errors must reach the
 *   caller of the handler, see {@link isAnsweredBefore}
 */
export function followUpload(
  request: FastifyRequest,
  { filename = '', mimetype, file }: Upload,
): { content: AsyncIterable<Uint8Array>; begin: () => Promise<void> } {
  const { once } = request;
  if (once === null) return { content: file, begin: async () => undefined };
  const hash = createHash('sha256');
  return {
    content: hashing(file, (chunk) => hash.update(chunk)),
    begin: () => once.begin(fingerprint(canonicalJson({ filename, mimetype, sha256: hash.digest('hex') }))),
  };
}

async function* hashing(file: AsyncIterable<Uint8Array>, passed: (chunk: Uint8Array) => void) {
  for await (const chunk of file) {
    passed(chunk);
    yield chunk;
  }
}
