import { ParleyError } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import type { CancelledAnswer } from '../replicas/due-work.ts';
import type { Message } from './message.ts';

type RunningMessage = Pick<
  Message,
  'uuid' | 'bot_uuid' | 'session_type' | 'session_id' | 'conversation_uuid' | 'sequence' | 'sender_id'
>;

/** Why an answer is not written to its end. */
export type CancelReason = CancelledAnswer['reason'];

/** A message that is being answered. */
export interface RunningAnswer {
  message_uuid: string;
  sender_id: string;
  sequence: number;
}

interface Run {
  message: RunningMessage;
  controller: AbortController;
  ended: PromiseWithResolvers<void>;
}

const explanations: Record<CancelReason, string> = {
  cancelled: 'The answer was cancelled',
  reset: 'The conversation was reset',
};

/** Longest time from claiming a message to `run`, milliseconds; a cancellation older than that has no target left. */
const memory = 60_000;

/** The messages that are being answered by this process, at most one of each conversation, so that they can be cancelled. */
export class RunningAnswers {
  readonly #running = new Map<string, Run>();
  /** By conversation, oldest first. */
  readonly #cancelled = new Map<string, { before: number; reason: CancelReason; at: number }>();

  /**
   * Has a message answered.
   * @param work is given a signal that is aborted when the answer is cancelled, with a ParleyError that says why
   */
  async run<Result>(message: RunningMessage, work: (cancelled: AbortSignal) => Promise<Result>): Promise<Result> {
    const { conversation_uuid: conversation, sequence } = message;
    const run = { message, controller: new AbortController(), ended: Promise.withResolvers<void>() };
    const earlier = this.#cancelled.get(conversation);
    if (earlier !== undefined && sequence < earlier.before) run.controller.abort(failure(earlier.reason));
    this.#running.set(conversation, run);
    try {
      return await work(run.controller.signal);
    } finally {
      if (this.#running.get(conversation) === run) this.#running.delete(conversation);
      run.ended.resolve();
    }
  }

  running(conversationUuid: string): RunningAnswer | null {
    const run = this.#running.get(conversationUuid);
    if (run === undefined) return null;
    const { uuid: message_uuid, sender_id, sequence } = run.message;
    return { message_uuid, sender_id, sequence };
  }

  /** Resolves when the running answer of a conversation has ended; null without one. */
  ended(conversationUuid: string): Promise<void> | null {
    return this.#running.get(conversationUuid)?.ended.promise ?? null;
  }

  /** How many other messages are being answered in the same chat, whatever their thread and pipeline. */
  beside({ uuid, bot_uuid, session_type, session_id }: RunningMessage): number {
    const isBeside = ({ message }: { message: RunningMessage }) =>
      message.uuid !== uuid &&
      message.bot_uuid === bot_uuid &&
      message.session_type === session_type &&
      message.session_id === session_id;
    return [...this.#running.values()].filter(isBeside).length;
  }

  /** Aborts the running answer of a conversation. @returns false when there was none, or it was cancelled before */
  cancel(conversationUuid: string, reason: CancelReason): boolean {
    const controller = this.#running.get(conversationUuid)?.controller;
    if (controller === undefined || controller.signal.aborted) return false;
    controller.abort(failure(reason));
    return true;
  }

  /**
   * Aborts the running answer of a conversation if it is before a position in it, and claimed messages that are about
   * to run.
   */
  cancelBefore(conversationUuid: string, sequence: number, reason: CancelReason): void {
    this.#forget();
    this.#cancelled.delete(conversationUuid);
    this.#cancelled.set(conversationUuid, { before: sequence, reason, at: present() });
    const running = this.running(conversationUuid);
    if (running !== null && running.sequence < sequence) this.cancel(conversationUuid, reason);
  }

  #forget(): void {
    const limit = present() - memory;
    for (const [conversation, { at }] of this.#cancelled) {
      if (at > limit) return;
      this.#cancelled.delete(conversation);
    }
  }
}

function failure(reason: CancelReason): ParleyError {
  return new ParleyError(reason, explanations[reason]);
}
