import {
  type FeedbackEvent,
  type MessageEvent,
  ParleyError,
  type PlatformContext,
  type Reason,
  type ReplyContext,
} from '@parley/sdk';
import { listAt, recordAt, textAt } from '../../kit/services/values.ts';
import { type BotNames, chatIn, idAt, parseMessage } from './parse.ts';

type Body = Record<string, unknown>;

/** What answers need, for a message and for the greeting of a user. */
export interface ReplyContexts {
  message(): ReplyContext;
  greeting(): ReplyContext;
}

/** After these, no later attempt would store a message. */
const lastingReasons: readonly Reason[] = ['invalid_request', 'too_large'];
/** Kinds of content and events that are logged when they are seen for the first time. */
const mostKinds = 100;

/** Takes messages and events of both modes: parses them, and stores what they bring. */
export class Inbox {
  readonly #context: PlatformContext;
  readonly #bot: BotNames;
  readonly #kinds = new Set<string>();

  constructor(context: PlatformContext, bot: BotNames) {
    this.#context = context;
    this.#bot = bot;
  }

  /**
   * Takes a message or an event. When it resolves, it is stored, or there was nothing to store.
   * @returns whether it is a message that may be answered
   * @throws when it could be stored later
   */
  async take(body: Body, contexts: ReplyContexts): Promise<boolean> {
    try {
      if (body.msgtype === 'event') {
        await this.#takeEvent(body, contexts);
        return false;
      }
      const parsed = parseMessage(body, this.#bot);
      if (parsed === null) return false;
      if (parsed.unknown !== null) this.#noteKind(`message ${parsed.unknown}`);
      const event: MessageEvent = { ...parsed.event, reply_context: contexts.message() };
      await this.#context.receive(event);
      return true;
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      const { logger, bot_uuid } = this.#context;
      logger.warn({ bot: bot_uuid, message: idAt(body, 'msgid'), reason: error.reason }, 'a message was refused');
      return false;
    }
  }

  /** @see https://developer.work.weixin.qq.com/document/path/101027 */
  async #takeEvent(body: Body, contexts: ReplyContexts): Promise<void> {
    const event = recordAt(body, 'event');
    const kind = textAt(event, 'eventtype');
    const id = idAt(body, 'msgid');
    const chat = chatIn(body);
    if (id === '' || chat === null) return;
    const { session_type, session_id, sender_id } = chat;
    if (kind === 'enter_chat') {
      const place = { session_type, session_id, thread_id: '' };
      const reply_context = contexts.greeting();
      await this.#context.receiveNotice({ type: 'bot_added', platform_event_id: id, ...place, reply_context });
      return;
    }
    if (kind !== 'feedback_event') return this.#noteKind(`event ${kind}`);
    const feedback = feedbackIn(recordAt(event, 'feedback_event'));
    if (feedback === null) return this.#noteKind('feedback that is neither a like nor a dislike');
    await this.#context.receiveFeedback?.({ ...feedback, user_id: sender_id, session_type, session_id });
  }

  #noteKind(kind: string): void {
    if (this.#kinds.has(kind) || this.#kinds.size >= mostKinds) return;
    this.#kinds.add(kind);
    const { logger, bot_uuid } = this.#context;
    logger.info({ bot: bot_uuid, kind: kind.slice(0, 80) }, 'WeCom sent something of a kind that is not used');
  }
}

/** The id under which users judge an answer: its stream, and the message that it answers. */
export function feedbackId(streamId: string, messageId: string): string {
  const id = `${streamId} ${messageId}`;
  // The platform takes 256 bytes.
  return Buffer.byteLength(id) <= 256 ? id : streamId;
}

/** Null for one that was taken back. */
function feedbackIn(given: Body): FeedbackEvent | null {
  const { type, content } = given;
  const feedback_id = textAt(given, 'id');
  const [stream_id = '', message_id] = feedback_id.split(' ');
  if (feedback_id === '' || (type !== 1 && type !== 2)) return null;
  return {
    feedback_id,
    feedback_type: type,
    ...(typeof content === 'string' && content !== '' ? { feedback_content: content } : {}),
    inaccurate_reasons: listAt(given, 'inaccurate_reason_list').map(String),
    stream_id,
    ...(message_id === undefined ? {} : { message_id }),
  };
}

function isRefusedForGood(error: unknown): error is ParleyError {
  return error instanceof ParleyError && lastingReasons.includes(error.reason);
}
