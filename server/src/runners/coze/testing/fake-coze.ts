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

export interface FakeCoze extends FakeService {
  apiKey: string;
  botId: string;
  answer: FakeAnswer;
  /** The conversations that it knows. */
  conversations: Set<string>;
  /** Uploaded files by their id. */
  files: Map<string, File>;
}

/** Starts a service that speaks version 3 of Coze's chat API and takes files, on a free loopback port. */
export async function startFakeCoze(): Promise<FakeCoze> {
  const known = {
    apiKey: `pat_${randomUUID()}`,
    botId: '7331234567890',
    answer: defaultAnswer(),
    conversations: new Set<string>(),
    files: new Map<string, File>(),
  };
  const { apiKey, botId, conversations, files } = known;

  function* events(conversation_id: string): Generator<string> {
    const chat = (status: string, usage: object) => ({
      id: 'chat-1',
      conversation_id,
      bot_id: botId,
      last_error: { code: 0, msg: '' },
      status,
      usage,
    });
    const nothing = { token_count: 0, output_count: 0, input_count: 0 };
    yield namedEvent('conversation.chat.created', chat('created', nothing));
    yield namedEvent('conversation.chat.in_progress', chat('in_progress', nothing));
    let said = '';
    for (const content of known.answer.texts) {
      said += content;
      yield cozeMessage('conversation.message.delta', { content });
    }
    yield* known.answer.extra;
    yield cozeMessage('conversation.message.completed', { content: said });
    const verbose = { id: 'message-9', type: 'verbose', content: '{"msg_type":"generate_answer_finish","data":""}' };
    yield cozeMessage('conversation.message.completed', verbose);
    const usage = { token_count: 52, output_count: 12, input_count: 40 };
    yield namedEvent('conversation.chat.completed', chat('completed', usage));
    yield namedEvent('done', '[DONE]');
  }

  const service = await startFakeService(async (request, response) => {
    const url = new URL(request.path, 'http://localhost');
    const refuse = (code: number, msg: string, status = 200) => sendJson(response, { code, msg }, status);
    if (request.headers.authorization !== `Bearer ${apiKey}`) {
      return refuse(4100, `authentication is invalid: ${request.headers.authorization}`, 401);
    }
    if (url.pathname === '/v1/files/upload') {
      const file = await fileIn(request);
      if (file === null) return refuse(4000, 'file is required');
      const id = `file-${files.size + 1}`;
      files.set(id, file);
      return sendJson(response, { code: 0, msg: '', data: { id, bytes: file.size, file_name: file.name } });
    }
    if (url.pathname !== '/v3/chat') return refuse(4200, `There is no ${url.pathname}`, 404);
    const conversation = url.searchParams.get('conversation_id');
    if (conversation !== null && !conversations.has(conversation)) {
      return refuse(4200, `conversation ${conversation} does not exist`);
    }
    const id = conversation ?? `conversation-${randomUUID()}`;
    conversations.add(id);
    await streamPieces(response, events(id), known.answer);
  });
  return Object.assign(known, service);
}

/** An event that carries a message; `over` changes it. */
export function cozeMessage(event: string, over: Record<string, unknown>): string {
  const message = { id: 'message-1', role: 'assistant', type: 'answer', content_type: 'text', ...over };
  return namedEvent(event, message);
}
