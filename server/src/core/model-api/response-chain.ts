import { type ConversationContext, ParleyError } from '@parley/sdk';
import { isUuid, newUuid } from '../../lib/uuid.ts';
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
  /** Names the conversation. */
  thread_id: string;
  context: ConversationContext;
  /** To be called when the question has ended. */
  free: () => void;
}

/**
 * Finds the conversation of a question. One that continues the latest answer is in the same conversation, so that a
 * runner remembers it; one that continues an earlier answer, or a branch, gets a separate conversation with the
 * history.
 */
export class ResponseChain {
  readonly #conversations: Pick<ConversationStore, 'current'>;
  readonly #history: Pick<MessageHistory, 'before' | 'context'>;
  readonly #reader: Pick<MessageReader, 'find'>;
  /** The conversations in which a question waits for its answer. */
  readonly #busy = new Set<string>();

  constructor(
    conversations: Pick<ConversationStore, 'current'>,
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
    if (previous === null) return { thread_id: newUuid(), context, free: () => undefined };
    const { message, answer } = await this.#answered(previous, to);
    const { conversation_uuid: conversation, thread_id } = message;
    const before = (message.facts.has_context ? await this.#history.context(message.uuid) : null)?.history ?? [];
    const latest = (await this.#history.before(conversation, latestPlace, 1)).at(-1);
    const isHere = message.pipeline_uuid === to.pipeline_uuid && message.session_id === to.session_id;
    const isNext = latest?.uuid === answer.uuid && context.history.length === 0;
    if (isHere && isNext && !this.#busy.has(conversation)) {
      this.#busy.add(conversation);
      const free = () => void this.#busy.delete(conversation);
      return { thread_id, context: { ...context, history: before }, free };
    }
    const stored = await this.#history.before(conversation, answer.sequence + 1, roundsTakenAlong);
    const history = [...before, ...stored.map(turnOf), ...context.history];
    return { thread_id: newUuid(), context: { ...context, history }, free: () => undefined };
  }

  async #answered(id: string, { bot_uuid, owner }: { bot_uuid: string; owner: string }): Promise<Answered> {
    const uuid = id.startsWith(responsePrefix) ? id.slice(responsePrefix.length) : '';
    const found = isUuid(uuid) ? await this.#reader.find(uuid.toLowerCase()) : null;
    if (found === null || !(await this.#isOwn(found, bot_uuid, owner))) throw notFound(id);
    const { message, answer } = found;
    if (message.state !== 'answered' || answer === null) {
      throw fault('previous_response_id', 'names a response that was not completed');
    }
    return { message, answer: answer.message };
  }

  async #isOwn({ message }: FoundMessage, bot_uuid: string, owner: string): Promise<boolean> {
    const { direction, session_id } = message;
    if (direction !== 'inbound' || message.bot_uuid !== bot_uuid) return false;
    if (session_id !== owner && !session_id.startsWith(`${owner}/`)) return false;
    // The conversation of an unstored response has ended.
    return (await this.#conversations.current(message))?.uuid === message.conversation_uuid;
  }
}

interface Answered {
  message: FoundMessage['message'];
  answer: FoundMessage['message'];
}

function notFound(id: string): ParleyError {
  const path = 'previous_response_id';
  return new ParleyError('not_found', `There is no response \`${id.slice(0, 100)}\``, {
    details: [{ path, message: 'names no response' }],
  });
}
