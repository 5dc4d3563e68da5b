import { randomUUID } from 'node:crypto';
import { type FakeService, startFakeService } from '../../../kit/services/testing/fake-service.ts';
import {
  defaultAnswer,
  type FakeAnswer,
  fileIn,
  namedEvent,
  sendJson,
  streamPieces,
} from '../../../kit/services/testing/service-parts.ts';

export interface FakeTbox extends FakeService {
  apiKey: string;
  appId: string;
  answer: FakeAnswer;
  /** The conversations that it knows. */
  conversations: Set<string>;
  /** Uploaded files by their id. */
  files: Map<string, File>;
}

/** Starts a service that speaks the chat API of Tbox and takes files, on a free loopback port. */
export async function startFakeTbox(): Promise<FakeTbox> {
  const known = {
    apiKey: `pat_${randomUUID()}`,
    appId: '202506APabcd00450562',
    answer: defaultAnswer(),
    conversations: new Set<string>(),
    files: new Map<string, File>(),
  };
  const { apiKey, conversations, files } = known;

  function* events(conversationId: string): Generator<string> {
    yield tboxEvent({ type: 'meta', payload: '{"requestId":"request-1"}' });
    yield tboxEvent({ type: 'header', lane: 'default', payload: '{"mediaType":"text","name":"answer"}' });
    for (const text of known.answer.texts) {
      const payload = JSON.stringify({ conversationId, messageId: 'message-1', text });
      yield tboxEvent({ type: 'chunk', lane: 'default', payload });
    }
    yield* known.answer.extra;
  }

  const service = await startFakeService(async (request, response) => {
    const refuse = (errorCode: string, errorMsg: string, status = 200) =>
      sendJson(response, { errorCode, errorMsg, traceId: 'trace-1' }, status);
    if (request.headers.authorization !== apiKey) {
      return refuse('401', `The token ${request.headers.authorization} is not valid`, 401);
    }
    if (request.path === '/api/file/upload') {
      const file = await fileIn(request);
      if (file === null) return refuse('400', 'file is required');
      const id = `file-${files.size + 1}`;
      files.set(id, file);
      return sendJson(response, { errorCode: '0', errorMsg: 'success', data: id, traceId: 'trace-1' });
    }
    if (request.path !== '/api/chat') return refuse('404', `There is no ${request.path}`, 404);
    const conversation: string | undefined = request.json?.conversationId;
    if (conversation !== undefined && !conversations.has(conversation)) {
      return refuse('CONVERSATION_NOT_EXIST', `the conversation ${conversation} does not exist`);
    }
    const id = conversation ?? `2025${randomUUID()}`;
    conversations.add(id);
    await streamPieces(response, events(id), known.answer);
  });
  return Object.assign(known, service);
}

export function tboxEvent(data: unknown): string {
  return namedEvent('message', data);
}
