import { type FakeService, startFakeService } from '../../../kit/services/testing/fake-service.ts';

export const headerValue = 'Bearer 9hK2-mQ7xT4vR8';

export interface FakeHttpService extends FakeService {
  /** Sets the response, with its media type. Without arguments, the default one. */
  respond(body?: unknown, mediaType?: string): void;
  /** Lets go of every conversation. */
  forget(): void;
}

/**
 * Starts an example service. It requires a header, counts the questions of each conversation, and echoes the
 * question.
 */
export async function startFakeHttpService(): Promise<FakeHttpService> {
  const conversations = new Map<string, number>();
  let scripted: { body: string; mediaType: string } | null = null;
  const service = await startFakeService(({ json, headers }, response) => {
    if (headers.authorization !== headerValue) {
      response.writeHead(401, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: 'Who are you?' }));
    }
    if (json.conversation_id !== null && !conversations.has(json.conversation_id)) {
      response.writeHead(404, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: 'There is no such conversation' }));
    }
    const conversation_id = json.conversation_id ?? `conversation-${conversations.size + 1}`;
    const count = (conversations.get(conversation_id) ?? 0) + 1;
    conversations.set(conversation_id, count);
    const defaults = JSON.stringify({ text: `${count}: ${json.text}`, conversation_id });
    response.writeHead(200, { 'content-type': scripted?.mediaType ?? 'application/json; charset=utf-8' });
    return response.end(scripted?.body ?? defaults);
  });
  return {
    ...service,
    respond: (body, mediaType = 'application/json') => {
      if (body === undefined) scripted = null;
      else scripted = { body: typeof body === 'string' ? body : JSON.stringify(body), mediaType };
    },
    forget: () => conversations.clear(),
  };
}
