import { randomUUID } from 'node:crypto';
import { type FakeService, startFakeService } from '../../../kit/services/testing/fake-service.ts';
import { defaultAnswer, type FakeAnswer, sendJson, streamPieces } from '../../../kit/services/testing/service-parts.ts';

export interface FakeDashscope extends FakeService {
  baseUrl: string;
  apiKey: string;
  appId: string;
  answer: FakeAnswer;
  /** Further output of the last event. */
  last: Record<string, unknown>;
  usage: unknown;
  /** The conversations that it knows. */
  sessions: Set<string>;
}

/** Starts a service that speaks the application API of Alibaba Cloud Model Studio on a free loopback port. */
export async function startFakeDashscope(): Promise<FakeDashscope> {
  const known = {
    apiKey: `sk-${randomUUID().replaceAll('-', '')}`,
    appId: 'app-1234',
    answer: defaultAnswer(),
    last: {} as Record<string, unknown>,
    usage: { models: [{ model_id: 'qwen-max', input_tokens: 121, output_tokens: 37 }] } as unknown,
    sessions: new Set<string>(),
  };
  const { apiKey, appId, sessions } = known;

  // Workflows send the text of their nodes, agents only text.
  function* events(session_id: string, isWorkflow: boolean): Generator<string> {
    for (const text of known.answer.texts) {
      const said = isWorkflow ? { workflow_message: nodeMessage(text) } : { text };
      yield dashscopeEvent({ output: { session_id, finish_reason: 'null', ...said }, request_id: 'request-1' });
    }
    yield* known.answer.extra;
    const output = { session_id, text: '', finish_reason: 'stop', ...known.last };
    yield dashscopeEvent({ output, usage: known.usage, request_id: 'request-1' });
  }

  const service = await startFakeService(async (request, response) => {
    const refuse = (status: number, code: string, message: string) =>
      sendJson(response, { code, message, request_id: 'request-1' }, status);
    if (request.path !== `/api/v1/apps/${appId}/completion`) {
      return refuse(404, 'ApplicationNotFound', `There is no ${request.path}`);
    }
    if (request.headers.authorization !== `Bearer ${apiKey}`) {
      return refuse(401, 'InvalidApiKey', `Invalid API-key provided: ${request.headers.authorization}`);
    }
    if (request.headers['x-dashscope-sse'] !== 'enable') return refuse(400, 'InvalidParameter', 'stream only');
    const session: string | undefined = request.json?.input?.session_id;
    if (session !== undefined && !sessions.has(session)) {
      return refuse(400, 'InvalidParameter', `session ${session} is invalid or expired`);
    }
    const id = session ?? randomUUID();
    sessions.add(id);
    const isWorkflow = request.json?.parameters?.flow_stream_mode === 'message_format';
    await streamPieces(response, events(id, isWorkflow), known.answer);
  });
  return Object.assign(known, service, { baseUrl: `${service.url}/api/v1` });
}

/** A message of a workflow node. */
export function nodeMessage(content: string) {
  return {
    node_id: 'End_1',
    node_type: 'End',
    node_is_completed: false,
    node_msg_seq_id: 0,
    message: { role: 'assistant', content },
  };
}

/** An event as the service writes it, with the status in a comment. */
export function dashscopeEvent(data: unknown, event = 'result', status = 200): string {
  return `id:1\nevent:${event}\n:HTTP_STATUS/${status}\ndata:${JSON.stringify(data)}\n\n`;
}
