// For schema fields that only the API description uses (`hide`, `summary`, …).

import type { IncomingMessage, ServerResponse } from 'node:http';
import type {} from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';

/** A server whose handlers have the types of their schemas. */
export type TypedServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Registers routes with a tag in the API description. */
export async function tagged(server: TypedServer, tag: string, routes: (scope: TypedServer) => Promise<void> | void) {
  await server.register(async (scope: TypedServer) => {
    scope.addHook('onRoute', ({ schema }) => {
      if (schema !== undefined) schema.tags = [tag];
    });
    await routes(scope);
  });
}
