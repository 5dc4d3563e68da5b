import { type FeedbackEvent, ParleyError, problemError, type SessionType } from '@parley/sdk';
import { now, secondsFromNow } from '../../lib/clock.ts';
import type { BotStore } from '../bots/bot-store.ts';
import type { Feedback, GivenFeedback, Opinion } from './feedback.ts';
import type { FeedbackStore, JudgedMessage } from './feedback-store.ts';

const secondsPerDay = 86_400;
/** Limits for the length of texts from a platform, and the number of reasons. */
const longestIdentifier = 512;
const longestContent = 10_000;
const mostReasons = 100;

/** Stores feedback on answers. */
export class FeedbackService {
  readonly #store: FeedbackStore;
  readonly #bots: Pick<BotStore, 'byUuid'>;
  readonly #retentionDays: number;

  /** @param retentionDays retention time; 0 keeps it forever */
  constructor(
    store: FeedbackStore,
    { bots, retentionDays }: { bots: Pick<BotStore, 'byUuid'>; retentionDays: number },
  ) {
    this.#store = store;
    this.#bots = bots;
    this.#retentionDays = retentionDays;
  }

  /**
   * Stores feedback from a platform.
   * @throws ParleyError `invalid_request` when it is neither a like nor a dislike, or has no identifier
   */
  async receive(botUuid: string, event: FeedbackEvent): Promise<void> {
    const { feedback_id, feedback_type, message_id, user_id } = event;
    if (typeof feedback_id !== 'string' || feedback_id === '' || feedback_id.length > longestIdentifier) {
      throw new ParleyError('invalid_request', 'Feedback needs an identifier');
    }
    if (feedback_type !== 1 && feedback_type !== 2) {
      throw new ParleyError('invalid_request', 'Feedback is a like (1) or a dislike (2)');
    }
    const bot = await this.#bots.byUuid(botUuid);
    const session = sessionOf(event);
    const identifier = message_id === undefined || message_id === '' ? null : message_id;
    const message = identifier === null ? null : await this.#store.platformMessage(botUuid, identifier, session);
    await this.#store.save({
      feedback_id,
      created_at: now(),
      feedback_type,
      feedback_content: event.feedback_content?.slice(0, longestContent) ?? null,
      inaccurate_reasons:
        event.inaccurate_reasons?.slice(0, mostReasons).map((reason) => reason.slice(0, longestIdentifier)) ?? null,
      bot_uuid: botUuid,
      pipeline_uuid: message?.pipeline_uuid ?? bot?.use_pipeline_uuid ?? '',
      session_id: session === null ? sessionIdOf(message) : `${session.type}_${session.id}`,
      message_uuid: message?.uuid ?? null,
      platform_message_id: identifier,
      stream_id: event.stream_id ?? null,
      user_id: user_id ?? message?.user_id ?? null,
      platform: bot?.adapter ?? null,
    });
  }

  /**
   * Stores the feedback of a caller on a message, replacing earlier feedback of the same caller.
   * @param caller name of the caller
   * @throws ParleyError `not_found`
   */
  async give(messageUuid: string, caller: string, given: GivenFeedback): Promise<Feedback> {
    const message = await this.#store.message(messageUuid);
    if (message === null) throw problemError('message_not_found');
    const bot = await this.#bots.byUuid(message.bot_uuid);
    const feedback: Feedback = {
      feedback_id: `${caller}/${messageUuid}`,
      created_at: now(),
      feedback_type: given.feedback_type,
      feedback_content: given.feedback_content ?? null,
      inaccurate_reasons: given.inaccurate_reasons?.slice() ?? null,
      bot_uuid: message.bot_uuid,
      pipeline_uuid: message.pipeline_uuid,
      session_id: sessionIdOf(message),
      message_uuid: message.uuid,
      platform_message_id: null,
      stream_id: null,
      user_id: message.user_id,
      platform: bot?.adapter ?? null,
    };
    await this.#store.save(feedback);
    return feedback;
  }

  /** What a caller said of messages. @param caller name of the caller */
  given(caller: string, messageUuids: readonly string[]): Promise<Opinion[]> {
    return this.#store.byCaller(caller, messageUuids);
  }

  /** Removes feedback past its retention time. @returns how much, at most `limit` */
  async prune(limit: number): Promise<number> {
    if (this.#retentionDays === 0) return 0;
    return this.#store.removeBefore(secondsFromNow(-this.#retentionDays * secondsPerDay), limit);
  }
}

function sessionOf({ session_type, session_id }: FeedbackEvent): { type: SessionType; id: string } | null {
  return session_type === undefined || session_id === undefined ? null : { type: session_type, id: session_id };
}

function sessionIdOf(message: JudgedMessage | null): string | null {
  return message === null ? null : `${message.session_type}_${message.session_id}`;
}
