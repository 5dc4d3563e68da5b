import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import openapiTypescript, { astToString } from 'openapi-typescript';
import type { RequiredAccess } from '../server/src/core/accounts/authenticator.ts';
import { apiVersion } from '../server/src/core/system/system-info.ts';
import type { Access } from '../server/src/http/access.ts';
import { inspectService } from './inspect-service.ts';

type Json = Record<string, unknown>;

const introduction = `Successful answers are \`{code: 0, msg: "ok", data}\`; refusals are \`{code, msg, reason, request_id}\` with a
stable \`reason\`, and \`details\` where fields are wrong.

Operations take an API key in \`X-API-Key\` or \`Authorization: Bearer\`, or a user token in \`Authorization: Bearer\`.`;

/** Builds the description of the HTTP interface from the routes themselves. */
export async function buildOpenApiDocument(): Promise<string> {
  return inspectService(
    async ({ server }) => {
      await server.ready();
      const document = shareSchemas(server.swagger() as unknown as Json);
      return `${JSON.stringify(document, describeAnswer, 2)}\n`;
    },
    {
      beforeRoutes: async (server) => {
        await server.register(swagger, {
          openapi: {
            openapi: '3.1.0',
            info: {
              title: 'Parley',
              version: apiVersion,
              description: introduction,
              license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
            },
            servers: [{ url: '/' }],
            components: {
              securitySchemes: {
                apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
                bearer: { type: 'http', scheme: 'bearer', description: 'A user token or an API key.' },
                userToken: { type: 'http', scheme: 'bearer', description: 'A user token.' },
              },
            },
          },
          refResolver: {
            buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? `def-${index}`),
          },
          transform: ({ schema, url, route: { method, config = {} } }) => ({
            url,
            schema: {
              ...schema,
              description: [schema.description, accessText(config)].filter((part) => part !== undefined).join('\n\n'),
              operationId: operationId(String(method), url),
              security: securityOf(config),
            },
          }),
        });
      },
    },
  );
}

/** Builds the types of the client from the description. */
export async function buildClientTypes(document: string): Promise<string> {
  const nodes = await openapiTypescript(document);
  return `/** Made by \`npm run openapi\` from docs/openapi.json; not to be edited. */\n\n${astToString(nodes)}`;
}

/** The generator calls every answer the default one; the words of the status say more. */
function describeAnswer(key: string, value: unknown): unknown {
  if (STATUS_CODES[key] === undefined || (value as Json | null)?.description !== 'Default Response') return value;
  return { ...(value as Json), description: STATUS_CODES[key] };
}

interface RouteAccess {
  access?: Access;
  recognizes?: RequiredAccess;
}

/** What an operation asks of its caller, in words. */
function accessText({ access = 'open', recognizes }: RouteAccess): string {
  if (access !== 'open') return `Needs ${credentialText(access)}.`;
  return recognizes === undefined
    ? 'Needs no credential.'
    : `Needs no credential, and says more to ${credentialText(recognizes)}.`;
}

function credentialText({ credential, scope, role }: RequiredAccess): string {
  const key = credential === 'either' ? `, or an API key with the scope \`${scope}\`` : '';
  return `a user token${key}, of the role \`${role}\``;
}

function securityOf({ access = 'open', recognizes }: RouteAccess): Record<string, string[]>[] {
  // An empty one among several says that none is needed.
  if (access === 'open') return recognizes === undefined ? [] : [{}, ...securityOf({ access: recognizes })];
  return access.credential === 'user' ? [{ userToken: [] }] : [{ apiKey: [] }, { bearer: [] }];
}

/** `GET /api/v1/pipelines/{pipeline_uuid}` is `getPipelinesByPipelineUuid`. */
function operationId(method: string, url: string): string {
  const words = url
    .replace(/^\/api\/v1/, '')
    .split('/')
    .flatMap((part) => (part.startsWith(':') ? ['by', ...part.slice(1).split('_')] : part.split(/[-_.]/)))
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Moves every schema with a title to the shared ones, so that it is described once and has a name in the client. */
function shareSchemas(document: Json): Json {
  const components = document.components as { schemas?: Record<string, unknown> };
  const shared: Record<string, unknown> = {};
  const visit = (value: unknown, isShared: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, false));
    if (typeof value !== 'object' || value === null) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, visit(child, false)])) as Json;
    const { title } = inner;
    if (isShared || typeof title !== 'string' || inner.type === undefined) return inner;
    const known = shared[title];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(inner)) {
      throw new Error(`two schemas have the title ${title}`);
    }
    shared[title] = inner;
    return { $ref: `#/components/schemas/${title}` };
  };
  const existing = Object.entries(components.schemas ?? {}).map(([name, schema]) => [name, visit(schema, true)]);
  const paths = visit(document.paths, false);
  const schemas = { ...Object.fromEntries(existing), ...shared };
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([left], [right]) => (left < right ? -1 : 1)));
  return { ...document, components: { ...components, schemas: sorted }, paths };
}
