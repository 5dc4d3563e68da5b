import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What the example of a knowledge engine over HTTP uses. */
export interface SearchService extends AsyncDisposable {
  address: string;
  /** Texts by collection and document. */
  collections: Map<string, Map<string, string[]>>;
}

/** @param key what callers have to send */
export async function startSearchService(key: string): Promise<SearchService> {
  const collections: SearchService['collections'] = new Map();
  const server = createServer(async (request, response) => {
    const body = request.method === 'DELETE' ? null : await json(request).catch(() => null);
    const isKnown = request.headers.authorization === `Bearer ${key}`;
    const answer = isKnown ? answerTo(collections, request, body as SearchBody | null) : 401;
    response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' });
    response.end(typeof answer === 'number' ? '' : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    collections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface SearchBody {
  texts?: string[];
  query?: string;
  limit?: number;
}

/** @returns a status, or what is found */
function answerTo(
  collections: SearchService['collections'],
  { method, url = '' }: IncomingMessage,
  body: SearchBody | null,
): number | object {
  const [, , id = '', part, document = ''] = url.split('/');
  const collection = collections.get(id);
  if (part === undefined) {
    if (method === 'PUT' && collection === undefined) collections.set(id, new Map());
    return method === 'PUT' || collections.delete(id) ? 204 : 404;
  }
  if (collection === undefined) return 404;
  if (part === 'documents') {
    if (method === 'PUT') collection.set(document, body?.texts ?? []);
    return method === 'PUT' || collection.delete(document) ? 204 : 404;
  }
  const query = body?.query?.toLowerCase() ?? '';
  const found = [...collection].flatMap(([name, texts]) =>
    texts.flatMap((text, index) =>
      text.toLowerCase().includes(query) ? [{ id: `${name}-${index}`, document: name, text, score: 1 }] : [],
    ),
  );
  return { passages: found.slice(0, body?.limit) };
}
