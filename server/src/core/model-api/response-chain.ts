import { type ConversationContext, ParleyError } from '@parley/sdk';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import { type MessageHistory, turnOf } from '../messages/message-history.ts';
import type { FoundMessage, MessageReader } from '../messages/message-reader.ts';
import { fault } from './content-parts.ts';
import type { ModelQuestion } from './model-question.ts';

/** Prefix of the id of a response; the uuid of the message that it answers follows. */
export const responsePrefix = 'resp_';

/** After every position in a conversation; an integer that databases can store. */
const latestPlace = 2_147_483_647;
/** Earlier rounds that are taken along when a conversation is left for another. */
const roundsTakenAlong = 1000;

/** Position of a question. */
export interface QuestionPlace {
  /** Of the question. The same one for questions of which only one is to be stored. */
  platform_message_id: string;
  /** Names the conversation. */
  thread_id: string;
  context: ConversationContext;
  /** The position when another question has the id; null where none can. */
  aside: (() => Promise<QuestionPlace>) | null;
}

/**
 * Finds the conversation of a question. One that continues the latest answer is in the same conversation, so that a
 * runner remembers it; one that continues an earlier answer, or a branch, gets a separate conversation with the
 * history. Of questions that continue one answer at the same time, perhaps at several replicas, the first that is stored
 * is in the same conversation: their ids are the next place in it, and an id is stored once.
 */
export class ResponseChain {
  readonly #conversations: Pick<ConversationStore, 'current' | 'isAnswering'>;
  readonly #history: Pick<MessageHistory, 'before' | 'context'>;
  readonly #reader: Pick<MessageReader, 'find'>;

  constructor(
    conversations: Pick<ConversationStore, 'current' | 'isAnswering'>,
    history: Pick<MessageHistory, 'before' | 'context'>,
    reader: Pick<MessageReader, 'find'>,
  ) {
    this.#conversations = conversations;
    this.#history = history;
    this.#reader = reader;
  }

  /**
   * @param owner the caller, whose conversations are found and no others
   * @throws ParleyError `not_found` or `invalid_request` for `previous_response_id`
   */
  async place(
    { previous, context }: Pick<ModelQuestion, 'previous' | 'context'>,
    to: { bot_uuid: string; pipeline_uuid: string; session_id: string; owner: string },
  ): Promise<QuestionPlace> {
    if (previous === null) return alone(context);
    const { message, answer, conversation } = await this.#answered(previous, to);
    const { uuid, last_sequence } = conversation;
    const before = (message.facts.has_context ? await this.#history.context(message.uuid) : null)?.history ?? [];
    const aside = async () => {
      const stored = await this.#history.before(uuid, answer.sequence + 1, roundsTakenAlong);
      const history = [...before, ...stored.map(turnOf), ...context.history];
      return alone({ ...context, history });
    };
    const latest = (await this.#history.before(uuid, latestPlace, 1)).at(-1);
    const isHere = message.pipeline_uuid === to.pipeline_uuid && message.session_id === to.session_id;
    const isNext = latest?.uuid === answer.uuid && context.history.length === 0;
    if (!isHere || !isNext) return aside();
    // Questions that failed may be behind it.
    if (last_sequence > answer.sequence && (await this.#conversations.isAnswering(uuid))) return aside();
    const { thread_id } = message;
    const platform_message_id = `${uuid}/${last_sequence + 1}`;
    return { platform_message_id, thread_id, context: { ...context, history: before }, aside };
  }

  async #answered(id: string, { bot_uuid, owner }: { bot_uuid: string; owner: string }): Promise<Answered> {
    const uuid = id.startsWith(responsePrefix) ? id.slice(responsePrefix.length) : '';
    const found = isUuid(uuid) ? await this.#reader.find(uuid.toLowerCase()) : null;
    const conversation = found === null ? null : await this.#conversationOf(found, bot_uuid, owner);
    if (found === null || conversation === null) throw notFound(id);
    const { message, answer } = found;
    if (message.state !== 'answered' || answer === null) {
      throw fault('previous_response_id', 'names a response that was not completed');
    }
    return { message, answer: answer.message, conversation };
  }

  /** The conversation of a question of a caller; null for those of others. */
  async #conversationOf({ message }: FoundMessage, bot_uuid: string, owner: string): Promise<Conversation | null> {
    const { direction, session_id } = message;
    if (direction !== 'inbound' || message.bot_uuid !== bot_uuid) return null;
    if (session_id !== owner && !session_id.startsWith(`${owner}/`)) return null;
    const current = await this.#conversations.current(message);
    // The conversation of an unstored response has ended.
    return current?.uuid === message.conversation_uuid ? current : null;
  }
}

/** In a conversation of its own. */
function alone(context: ConversationContext): QuestionPlace {
  return { platform_message_id: newUuid(), thread_id: newUuid(), context, aside: null };
}

interface Answered {
  message: FoundMessage['message'];
  answer: FoundMessage['message'];
  conversation: Conversation;
}

function notFound(id: string): ParleyError {
  const path = 'previous_response_id';
  return new ParleyError('not_found', `There is no response \`${id.slice(0, 100)}\``, {
    details: [{ path, message: 'names no response' }],
  });
}
