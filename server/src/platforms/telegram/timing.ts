/** How long things take, in milliseconds. Tests shorten them. */
export interface Timing {
  /** Long polling timeout, milliseconds, in whole seconds. */
  pollMs: number;
  /** Time beyond that until a poll counts as lost, because it neither answered nor failed. */
  pollGraceMs: number;
  /** Time that any other call may take. */
  callMs: number;
  /** Time that a call with a file may take. */
  transferMs: number;
  /** Pause after the first attempt to connect again; it doubles with each, up to the longest. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** Pause while another program fetches the bot's messages. */
  conflictPauseMs: number;
  /**
   * Least time between two changes of the texts in one chat: about one a second, and 20 a minute in a group.
   * @see https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
   */
  personEditMs: number;
  groupEditMs: number;
  /**
   * Time between two messages that are sent into one chat when there are many, after a burst of `sendBurst` without pause.
   * Telegram allows about one a second, and in a group 20 in any minute, the burst included.
   */
  personSendMs: number;
  groupSendMs: number;
  sendBurst: number;
  /** Interval of webhook status checks. */
  webhookCheckMs: number;
  /** How long a stop waits for work in progress. */
  stopMs: number;
}

export const defaultTiming: Timing = {
  pollMs: 25_000,
  pollGraceMs: 10_000,
  callMs: 30_000,
  transferMs: 120_000,
  firstPauseMs: 1000,
  longestPauseMs: 30_000,
  conflictPauseMs: 20_000,
  personEditMs: 1000,
  groupEditMs: 3500,
  personSendMs: 1000,
  groupSendMs: 4000,
  sendBurst: 5,
  webhookCheckMs: 60_000,
  stopMs: 4000,
};
