import { randomUUID } from 'node:crypto';
import { type FakeService, startFakeService } from '../../../kit/services/testing/fake-service.ts';
import {
  defaultAnswer,
  type FakeAnswer,
  namedEvent,
  sendJson,
  streamPieces,
} from '../../../kit/services/testing/service-parts.ts';

export interface FakeResponses extends FakeService {
  baseUrl: string;
  apiKey: string;
  answer: FakeAnswer;
  /** It stores no answers, and rejects requests that refer to one. */
  isStateless: boolean;
  /** The answers that it keeps. */
  stored: Set<string>;
}

/** Starts a service that speaks the Responses protocol on a free loopback port. */
export async function startFakeResponses(): Promise<FakeResponses> {
  const known = {
    apiKey: `sk-${randomUUID().replaceAll('-', '')}`,
    answer: defaultAnswer(),
    isStateless: false,
    stored: new Set<string>(),
  };

  function* events(id: string, model: string): Generator<string> {
    const response = (status: string, usage: object | null) => {
      return { id, object: 'response', model: `${model}-2026-01-01`, status, output: [], error: null, usage };
    };
    yield responsesEvent({ type: 'response.created', response: response('in_progress', null) });
    const item = { id: 'item-1', type: 'message', role: 'assistant', content: [] };
    yield responsesEvent({ type: 'response.output_item.added', output_index: 0, item });
    for (const delta of known.answer.texts) yield textDelta(delta);
    yield* known.answer.extra;
    if (!known.isStateless) known.stored.add(id);
    const usage = { input_tokens: 21, output_tokens: 5, total_tokens: 26 };
    yield responsesEvent({ type: 'response.completed', response: response('completed', usage) });
  }

  const service = await startFakeService(async (request, response) => {
    const refuse = (status: number, code: string, message: string) =>
      sendJson(response, { error: { code, message, type: 'invalid_request_error', param: null } }, status);
    if (request.path !== '/v1/responses') return refuse(404, 'not_found', `There is no ${request.path}`);
    if (request.headers.authorization !== `Bearer ${known.apiKey}`) {
      return refuse(401, 'invalid_api_key', `Incorrect API key provided: ${request.headers.authorization}`);
    }
    const previous: string | undefined = request.json?.previous_response_id;
    if (previous !== undefined && known.isStateless) {
      return refuse(400, 'unsupported_parameter', 'previous_response_id is not supported');
    }
    if (previous !== undefined && !known.stored.has(previous)) {
      return refuse(400, 'previous_response_not_found', `Previous response with id '${previous}' not found.`);
    }
    const id = `resp_${randomUUID().replaceAll('-', '')}`;
    await streamPieces(response, events(id, String(request.json?.model)), known.answer);
  });
  return Object.assign(known, service, { baseUrl: `${service.url}/v1` });
}

/** A chunk of the text. */
export function textDelta(delta: string, item_id = 'item-1'): string {
  return responsesEvent({ type: 'response.output_text.delta', item_id, output_index: 0, content_index: 0, delta });
}

/** An event, which carries its name twice. */
export function responsesEvent(data: Record<string, unknown>): string {
  return namedEvent(String(data.type), { sequence_number: 0, ...data });
}
