import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch';
import { apiErrorOf, ParleyApiError } from './api-error.ts';
import type { paths } from './schema.d.ts';

export {
  apiErrorOf,
  ParleyApiError,
  type ParleyApiErrorDetail,
  type ParleyApiErrorHint,
  type ParleyApiErrorResponse,
} from './api-error.ts';
export type { components, paths } from './schema.d.ts';

type Method = 'get' | 'post' | 'put' | 'delete';
type FetchClient = Client<paths, 'application/json'>;
type Envelope<Body> = Body extends { data: infer Data } ? Data : never;
type Arguments<Init> = undefined extends Init ? [init?: Init] : [init: Init];

type Operation<Verb extends Method> = <
  Path extends ClientPathsWithMethod<FetchClient, Verb>,
  Init extends Verb extends keyof paths[Path] ? MaybeOptionalInit<paths[Path], Verb> : never,
>(
  path: Path,
  ...init: Arguments<Init>
) => Promise<Envelope<MethodResponse<FetchClient, Verb, Path>>>;

/** An answer with the `ETag` of the record in it, for `If-Match` of a later change; null when it came without. */
export interface Tagged<Data> {
  data: Data;
  etag: string | null;
}

type TaggedGet = <
  Path extends ClientPathsWithMethod<FetchClient, 'get'>,
  Init extends 'get' extends keyof paths[Path] ? MaybeOptionalInit<paths[Path], 'get'> : never,
>(
  path: Path,
  ...init: Arguments<Init>
) => Promise<Tagged<Envelope<MethodResponse<FetchClient, 'get', Path>>>>;

/** One function per HTTP method; each resolves with the envelope's `data` and throws {@link ParleyApiError} otherwise. */
export interface ParleyClient {
  get: Operation<'get'>;
  /** As `get`, with the tag that says which state of a record was read. */
  getTagged: TaggedGet;
  post: Operation<'post'>;
  put: Operation<'put'>;
  delete: Operation<'delete'>;
}

export interface ParleyClientOptions {
  /** Address of the server with its base path, without `/api/v1`: `https://chat.example.org/parley`. */
  baseUrl: string;
  /** A user token or an API key, or a function that gives the present one; without it only open routes answer. */
  token?: string | (() => string | null);
  /** Used instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Makes a typed client of the HTTP interface.
 * @example
 * const parley = createParleyClient({ baseUrl: 'http://127.0.0.1:5300', token: 'lbk_…' });
 * const { pipelines } = await parley.get('/api/v1/pipelines');
 */
export function createParleyClient({ baseUrl, token, fetch }: ParleyClientOptions): ParleyClient {
  const client = createClient<paths, 'application/json'>({ baseUrl, ...(fetch && { fetch }) });
  client.use({
    onRequest({ request }) {
      const current = typeof token === 'function' ? token() : token;
      if (current) request.headers.set('authorization', `Bearer ${current}`);
      return request;
    },
    onError({ error }) {
      if (error instanceof Error && error.name === 'AbortError') return;
      const message = 'The server cannot be reached.';
      return new ParleyApiError(message, { status: 0, reason: 'unreachable' }, { cause: error });
    },
    async onResponse({ response }) {
      if (!response.ok) throw apiErrorOf(response, await response.json().catch(() => undefined));
    },
  });
  // What goes in and comes out is typed by `Operation`; the shape of the call is the same for every path.
  const request = client.request as (
    method: Method,
    path: string,
    init?: object,
  ) => Promise<{ data?: { data: unknown } | undefined; response: Response }>;
  const operation = (method: Method) => async (path: string, init?: object) =>
    (await request(method, path, init)).data?.data;
  return {
    get: operation('get'),
    getTagged: async (path: string, init?: object) => {
      const { data, response } = await request('get', path, init);
      return { data: data?.data, etag: response.headers.get('etag') };
    },
    post: operation('post'),
    put: operation('put'),
    delete: operation('delete'),
  } as ParleyClient;
}
