import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import websocket from '@fastify/websocket';
import { ParleyError } from '@parley/sdk';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { type InventoryRoute, requireAccess } from './access.ts';
import { limitAccountBodies } from './account-bodies.ts';
import { answerFromMemory } from './answers-in-memory.ts';
import { recordChanges } from './audit.ts';
import { ErrorResponse } from './envelope.ts';
import { errorAnswer } from './error-mapping.ts';
import { followExtensions } from './extension-changes.ts';
import { guardHost } from './host-guard.ts';
import { keepAnswers } from './idempotency.ts';
import { readJsonBodies } from './json-bodies.ts';
import { limitLargeBodies } from './large-bodies.ts';
import { isModelApiPath, shapedError } from './model-api-errors.ts';
import { limitOpenBodies } from './open-bodies.ts';
import { refuseUnstorableNames } from './record-names.ts';
import { readExpectedTags } from './record-tags.ts';
import { RequestTimes } from './request-timeouts.ts';
import { registerRoutes } from './routes/index.ts';
import type { RouteOptions, RouteServices } from './routes/route-services.ts';
import { securityHeaders, setSecurityHeaders } from './security-headers.ts';
import { refuseForeignPages, SessionCookie } from './session-cookie.ts';
import { refuseWrites } from './storage-unavailable.ts';
import { dropReadOnlyFields, refuseDeepBodies, useStrictValidation } from './validation.ts';
import { closeWebSockets, pingWebSockets } from './websocket-heartbeat.ts';
import { WebSocketPaths } from './websocket-paths.ts';
import { answerWrongMethods } from './wrong-methods.ts';

export interface HttpServerOptions extends RouteOptions {
  trustedProxies: readonly string[];
  corsOrigins: readonly string[];
  logger: FastifyBaseLogger;
  /** Further connections are closed as soon as they are accepted. */
  maxConnections: number;
  /**
   * Limit of all unauthenticated bodies while they arrive, MB of 1 048 576 bytes; the same again for authenticated
   * ones.
   */
  maxOpenBodyMegabytes: number;
  /** While true, new requests are rejected; those in progress are finished. */
  isStopping: () => boolean;
  /** While true, only health checks are answered. */
  isStarting: () => boolean;
  /** Called once before routes are registered, to collect the API description. */
  beforeRoutes?: (server: FastifyInstance) => Promise<void>;
}

export interface HttpServer {
  server: FastifyInstance;
  /** All routes with their access. */
  inventory: InventoryRoute[];
}

/** Maximum JSON body, bytes. Uploads have their own limit. */
const bodyLimit = 1024 * 1024;
/** On routes with larger bodies, such as message chains with images. */
const largeBodies = { defaults: bodyLimit, concurrent: 4, waiting: 64, patience: 30_000 };
/** How long a request may take to arrive, milliseconds. */
const requestTimeouts = { defaults: 30_000, large: 300_000, largeBytes: bodyLimit };
/** How often Node.js checks for slow requests, milliseconds. */
const connectionsCheckingInterval = 1000;
/** Answered as soon as the server listens. */
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** `closeTimeout`: how long a client may take to close its side before it is disconnected, milliseconds. */
const websocketOptions = { maxPayload: bodyLimit, closeTimeout: 2000 };

/** Maps HTTP to calls of the core. */
export async function createHttpServer(services: RouteServices, options: HttpServerOptions): Promise<HttpServer> {
  const headers = securityHeaders(options);
  const websocketPaths = new WebSocketPaths();
  const requestTimes = new RequestTimes(requestTimeouts);
  const server = Fastify({
    http: {
      headersTimeout: requestTimeouts.defaults,
      connectionsCheckingInterval,
      shouldUpgradeCallback: (request) =>
        websocketPaths.accepts(request, withoutBasePath(request.url ?? '/', options.basePath)),
    },
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    bodyLimit,
    requestTimeout: requestTimeouts.defaults,
    // Model names are record ids as well.
    routerOptions: { maxParamLength: 255 },
    genReqId: () => randomUUID(),
    // A logger per request costs more than routing it, and hardly any request logs; those that do include the request
    // id.
    childLoggerFactory: (logger) => logger,
    forceCloseConnections: 'idle',
    rewriteUrl: (request) => withoutBasePath(request.url ?? '/', options.basePath),
    clientErrorHandler: requestTimes.handle,
    // Errors before routing: a path that cannot be decoded, a parameter that is too long.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers);
      return refuse(error, request as unknown as FastifyRequest, reply as unknown as FastifyReply);
    },
  });
  server.server.maxConnections = options.maxConnections;
  // Responses are built from typed values; their schemas describe them and do not filter.
  server.setSerializerCompiler(() => JSON.stringify);
  // No route accepts text; Fastify would pass it to the handler as a string.
  server.removeContentTypeParser('text/plain');
  readJsonBodies(server);
  useStrictValidation(server);
  server.addSchema(ErrorResponse);
  server.setErrorHandler((error: FastifyError, request, reply) => {
    if (errorAnswer(error, request.id).status >= 500 && !(error instanceof ParleyError)) {
      request.log.error({ err: error, request_id: request.id }, 'unexpected fault');
    }
    return refuse(error, request, reply);
  });
  server.setNotFoundHandler((request, reply) => refuse(new ParleyError('not_found', 'Not found'), request, reply));
  // Before every hook that may reject a request: only then does it close the connection of a rejected upgrade.
  websocketPaths.collect(server);
  closeWebSockets(server, services.leaving);
  await server.register(websocket, { options: websocketOptions });
  pingWebSockets(server);
  requestTimes.watch(server);
  setSecurityHeaders(server, headers);
  guardHost(server, options);
  // A keep-alive connection would delay the stop, also one whose request came earlier; one that ends while nothing is
  // refused yet fails no request.
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (options.isStopping() || services.isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
  server.addHook('onRequest', (request, _reply, done) => {
    if (options.isStopping()) done(new ParleyError('not_ready', 'The server is stopping'));
    else if (options.isStarting() && !healthPaths.has(request.routeOptions.url ?? '')) {
      done(new ParleyError('not_ready', 'The server is starting'));
    } else done();
  });
  refuseWrites(server, services.storageTrouble);
  // Cookies are parsed only where they are used, not for every request.
  await server.register(cookie, { hook: false });
  if (options.corsOrigins.length > 0) {
    await server.register(cors, {
      origin: [...options.corsOrigins],
      exposedHeaders: ['etag', 'retry-after', 'idempotency-replayed', 'x-request-id', 'parley-ignored-parameters'],
      maxAge: 600,
    });
  }
  refuseForeignPages(server, options);
  const inventory = requireAccess(server, {
    authenticator: services.authenticator,
    readVersions: services.readVersions,
    sessionCookie: new SessionCookie(options),
  });
  answerFromMemory(server, services.readVersions);
  followExtensions(server, services.extensionChanges, services.readVersions);
  limitAccountBodies(server);
  limitOpenBodies(server, { inAll: options.maxOpenBodyMegabytes * 1024 * 1024, largest: bodyLimit });
  limitLargeBodies(server, largeBodies);
  server.addHook('preValidation', refuseDeepBodies);
  server.addHook('preValidation', refuseUnstorableNames);
  server.addHook('preValidation', dropReadOnlyFields);
  readExpectedTags(server);
  recordChanges(server, { log: services.auditLog, records: services.auditedRecords, logger: options.logger });
  // After the audit log: a replayed response is not another change.
  keepAnswers(server, { service: services.idempotency, logger: options.logger });
  await options.beforeRoutes?.(server);
  answerWrongMethods(server);
  await registerRoutes(server, services, options);
  return { server, inventory };
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const answer = shapedError(request.url, errorAnswer(error, request.id));
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
  if (answer.status === 401) reply.header('www-authenticate', 'Bearer');
  // Clients of the model API look for it there; others find it in the body.
  if (isModelApiPath(request.url)) reply.header('x-request-id', request.id);
  // A route may have set caching headers before it failed.
  reply.header('cache-control', 'no-store');
  return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
}

function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '') return '/';
  if (rest.startsWith('/')) return rest;
  return rest.startsWith('?') ? `/${rest}` : url;
}
