/** Kinds of work that wait as rows until a replica takes them. */
export const dueWorkKinds = ['messages', 'webhooks', 'documents', 'alert_notices'] as const;

export type DueWork = (typeof dueWorkKinds)[number];

/** An answer that is not to be written to its end: the one to the earliest unfinished message of a conversation. */
export interface CancelledAnswer {
  conversation: string;
  /** Only if that message is before this place in the conversation. */
  before: number;
  reason: 'cancelled' | 'reset';
}
