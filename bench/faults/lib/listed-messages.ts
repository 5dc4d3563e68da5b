import type { Caller } from '../../lib/program.ts';
import { readQuestion } from '../answer-text.ts';
import type { ListedMessage } from '../judge.ts';

interface PageMessage {
  uuid: string;
  text: string;
  state: string;
  reason: string | null;
  reply_to: string | null;
  delivery_state: string | null;
  created_at: string;
  finished_at: string | null;
}

/** Most pages that are read: 200 messages each. */
const mostPages = 1000;

/** Every question that the service's API lists, with what it says of the answer. */
export async function readListed(api: Caller): Promise<ListedMessage[]> {
  const answers = new Map<string, string | null>();
  for (const { reply_to, delivery_state } of await readAll(api, 'outbound')) {
    if (reply_to !== null) answers.set(reply_to, delivery_state);
  }
  return (await readAll(api, 'inbound')).flatMap(({ uuid, text, state, reason, created_at, finished_at }) => {
    const question = readQuestion(text);
    return question === null
      ? []
      : [
          {
            id: question.id,
            uuid,
            state,
            reason,
            deliveryState: answers.get(uuid) ?? null,
            createdAt: Date.parse(created_at),
            finishedAt: finished_at === null ? null : Date.parse(finished_at),
          },
        ];
  });
}

async function readAll(api: Caller, direction: string): Promise<PageMessage[]> {
  const messages: PageMessage[] = [];
  let cursor: string | null = '';
  for (let page = 0; cursor !== null && page < mostPages; page += 1) {
    const place: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const found: { messages: PageMessage[]; next_cursor: string | null } = await api.call(
      'GET',
      `/api/v1/messages?direction=${direction}&limit=200${place}`,
    );
    messages.push(...found.messages);
    cursor = found.next_cursor;
  }
  return messages;
}
