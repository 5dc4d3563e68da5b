import type { ServerResponse } from 'node:http';
import { type FakeRequest, type FakeService, startFakeService } from '../../../kit/services/testing/fake-service.ts';

export interface FakeN8n extends FakeService {
  /** Address of the webhook. */
  webhook: string;
  /** Sets a check of calls; without it, all are accepted. */
  admit(check: ((request: FakeRequest) => boolean) | null): void;
  /** Sets the response of the workflow, with its media type. Without arguments, the default one. */
  respond(body?: unknown, mediaType?: string): void;
  /** The chunks that the workflow streams from now on. */
  streamChunks(...chunks: object[]): void;
}

/** Starts an n8n with one workflow, which starts with a webhook. */
export async function startFakeN8n(): Promise<FakeN8n> {
  let isAdmitted: ((request: FakeRequest) => boolean) | null = null;
  let respond: (response: ServerResponse, request: FakeRequest) => unknown = defaultAnswer;
  const service = await startFakeService((request, response) => {
    if (request.path !== '/webhook/parrot') {
      response.writeHead(404, { 'content-type': 'application/json' });
      const message = `The requested webhook "POST ${request.path}" is not registered.`;
      return response.end(JSON.stringify({ code: 404, message, hint: 'The workflow must be active' }));
    }
    if (isAdmitted?.(request) === false) {
      response.writeHead(403, { 'content-type': 'text/plain' });
      return response.end('Authorization data is wrong!');
    }
    return respond(response, request);
  });
  return {
    ...service,
    webhook: `${service.url}/webhook/parrot`,
    admit: (check) => {
      isAdmitted = check;
    },
    respond: (body, mediaType = 'application/json; charset=utf-8') => {
      if (body === undefined) {
        respond = defaultAnswer;
        return;
      }
      respond = (response) => {
        response.writeHead(200, { 'content-type': mediaType });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      };
    },
    streamChunks: (...chunks) => {
      respond = (response) => {
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' });
        for (const chunk of chunks) response.write(`${JSON.stringify(chunk)}\n`);
        response.end();
      };
    },
  };
}

function defaultAnswer(response: ServerResponse, { json }: FakeRequest): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ response: `You said: ${json.chatInput}` }));
}
