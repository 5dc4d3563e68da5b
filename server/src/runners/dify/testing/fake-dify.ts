import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  type FakeRequest,
  type FakeService,
  sse,
  startFakeService,
} from '../../../kit/services/testing/fake-service.ts';

export const difyKey = 'app-Zk3vQ9xW2mN7bT5r';
/** A picture of one point. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export interface FakeDify extends Omit<FakeService, 'url'> {
  /** The value of `base-url`. */
  url: string;
  /** Questions only, oldest first. */
  readonly questions: FakeRequest[];
  uploads: { id: string; user: string; name: string; type: string; size: number }[];
  /** How many times the picture of an answer was fetched. */
  fetched: number;
  /** The events of the next answers instead of the default ones, before the final ones. */
  say(...events: object[]): void;
  /** Whether the server lets go of every conversation. */
  forget(): void;
}

/**
 * Starts a Dify that knows one application. It tells questions by their path: `/chat-messages` of chats and agents,
 * `/workflows/run` of workflows; files go to `/files/upload` first, and `/files/picture.png` is a file of an answer.
 */
export async function startFakeDify(): Promise<FakeDify> {
  const conversations = new Map<string, string>();
  const uploads: FakeDify['uploads'] = [];
  let scripted: object[] | null = null;
  let fetched = 0;

  const refuse = (response: ServerResponse, status: number, code: string, message: string) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code, message, status }));
  };

  async function upload(request: FakeRequest, response: ServerResponse) {
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const form = await new Response(new Uint8Array(request.body), { headers }).formData();
    const file = form.get('file');
    if (!(file instanceof File)) return refuse(response, 400, 'no_file_uploaded', 'Please upload your file.');
    if (file.name.endsWith('.exe')) return refuse(response, 415, 'unsupported_file_type', 'File type not allowed.');
    const uploaded = {
      id: randomUUID(),
      user: String(form.get('user')),
      name: file.name,
      type: file.type,
      size: file.size,
    };
    uploads.push(uploaded);
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...uploaded, extension: 'x', mime_type: file.type, created_by: 'x', created_at: 1 }));
  }

  function chat({ json }: FakeRequest, response: ServerResponse) {
    if (typeof json.query !== 'string' || json.query === '') return refuse(response, 400, 'invalid_param', 'query');
    if (json.conversation_id !== '' && conversations.get(json.conversation_id) !== json.user) {
      return refuse(response, 404, 'not_found', 'Conversation Not Exists.');
    }
    const conversation_id = json.conversation_id || randomUUID();
    conversations.set(conversation_id, json.user);
    const ids = { task_id: randomUUID(), message_id: randomUUID(), conversation_id };
    const defaults = ['Hello', ' from', ' Dify'].map((answer) => ({ event: 'message', answer }));
    const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14, total_price: '0.001', latency: 0.5 };
    const events = [...(scripted ?? defaults), { event: 'message_end', metadata: { usage, retriever_resources: [] } }];
    stream(
      response,
      events.map((event) => ({ ...ids, created_at: 1, ...event })),
    );
  }

  function workflow(_: FakeRequest, response: ServerResponse) {
    const ids = { task_id: randomUUID(), workflow_run_id: randomUUID() };
    const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
    const defaults = [
      { event: 'node_finished', data: { node_type: 'llm', status: 'succeeded', outputs: { text: 'x', usage } } },
      { event: 'text_chunk', data: { text: 'Hello from', from_variable_selector: ['1', 'text'] } },
      { event: 'text_chunk', data: { text: ' a workflow', from_variable_selector: ['1', 'text'] } },
      { event: 'workflow_finished', data: { status: 'succeeded', outputs: { summary: 'Hello from a workflow' } } },
    ];
    const events = [{ event: 'workflow_started', data: {} }, ...(scripted ?? defaults)];
    stream(
      response,
      events.map((event) => ({ ...ids, ...event })),
    );
  }

  function stream(response: ServerResponse, events: object[]) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    // Dify shows with these that it is still at work.
    response.write('event: ping\n\n');
    for (const piece of sse(...events)) response.write(piece);
    response.end();
  }

  const service = await startFakeService((request, response) => {
    if (request.path === '/files/picture.png') {
      fetched += 1;
      response.writeHead(200, { 'content-type': 'image/png' });
      return response.end(picture);
    }
    if (request.headers.authorization !== `Bearer ${difyKey}`) {
      return refuse(response, 401, 'unauthorized', 'Access token is invalid');
    }
    if (request.path === '/v1/files/upload') return upload(request, response);
    if (request.path === '/v1/chat-messages') return chat(request, response);
    if (request.path === '/v1/workflows/run') return workflow(request, response);
    return refuse(response, 404, 'not_found', 'The requested URL was not found');
  });
  return {
    ...service,
    url: `${service.url}/v1`,
    get questions() {
      return service.requests.filter(({ path }) => ['/v1/chat-messages', '/v1/workflows/run'].includes(path));
    },
    uploads,
    get fetched() {
      return fetched;
    },
    say: (...events) => {
      scripted = events.length === 0 ? null : events;
    },
    forget: () => conversations.clear(),
  };
}
