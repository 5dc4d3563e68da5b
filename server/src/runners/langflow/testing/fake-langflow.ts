import { randomUUID } from 'node:crypto';
import { type FakeService, startFakeService } from '../../../kit/services/testing/fake-service.ts';
import { defaultAnswer, type FakeAnswer, sendJson, streamPieces } from '../../../kit/services/testing/service-parts.ts';

export interface FakeLangflow extends FakeService {
  apiKey: string;
  flowId: string;
  answer: FakeAnswer;
  /** The final result of the flow; null for a message with the complete text. */
  result: unknown;
}

/** Starts a server that runs a flow as Langflow's API does, on a free loopback port. */
export async function startFakeLangflow(): Promise<FakeLangflow> {
  const known = {
    apiKey: `sk-${randomUUID()}`,
    flowId: '5b1a3f6e-flow',
    answer: defaultAnswer(),
    result: null as unknown,
  };

  function* events({ input_value, session_id }: Record<string, string>): Generator<string> {
    const message = (sender: string, text: string) =>
      langflowEvent('add_message', { sender, text, session_id, id: `message-of-${sender}` });
    yield message('User', String(input_value));
    yield message('Machine', '');
    let said = '';
    for (const chunk of known.answer.texts) {
      said += chunk;
      yield langflowEvent('token', { chunk, id: 'message-of-Machine' });
    }
    yield* known.answer.extra;
    yield langflowEvent('end', { result: known.result ?? { session_id, ...langflowResult(said) } });
  }

  const service = await startFakeService(async (request, response) => {
    const { pathname, searchParams } = new URL(request.path, 'http://localhost');
    if (pathname !== `/api/v1/run/${known.flowId}`) {
      return sendJson(response, { detail: `There is no ${pathname}` }, 404);
    }
    if (request.headers['x-api-key'] !== known.apiKey) {
      return sendJson(response, { detail: `Invalid API key ${request.headers['x-api-key']}` }, 403);
    }
    if (searchParams.get('stream') !== 'true') return sendJson(response, langflowResult('Not streamed.'));
    await streamPieces(response, events(request.json), known.answer);
  });
  return Object.assign(known, service);
}

/** An event: a line of JSON with an empty one after it, whatever the content type. */
export function langflowEvent(event: string, data: unknown): string {
  return `${JSON.stringify({ event, data })}\n\n`;
}

/** The result of a flow whose output is a message. */
export function langflowResult(text: string) {
  return {
    outputs: [
      {
        inputs: { input_value: 'hello' },
        outputs: [
          {
            results: { message: { text_key: 'text', text, data: { text } } },
            outputs: { message: { message: text, type: 'text' } },
            messages: [{ message: text, sender: 'Machine', sender_name: 'AI', type: 'text' }],
            component_id: 'ChatOutput-1',
          },
        ],
      },
    ],
  };
}
