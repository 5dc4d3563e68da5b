import type { Incident } from '../faults/judge.ts';
import type { EvaluatedQuestion, RecordedSend, VisibleMessage } from '../faults/record.ts';

/** What one group of users wrote and saw. */
export interface GroupRecord {
  questions: EvaluatedQuestion[];
  sends: RecordedSend[];
  visible: VisibleMessage[];
}

/** Users who write to one bot, over one kind of connection. */
export interface UserGroup {
  /** Name of the bot. */
  name: string;
  /** A user writes. Where that is not possible at present, it is done once it is. */
  ask(chat: number, text: string): void;
  /** Whether all that users wanted to write was written. */
  isIdle(): boolean;
  /** What keeps users from writing, one sentence each. */
  waitsFor(): string[];
  /**
   * @param hasArrived whether the service lists a question. What was on the wire, on a connection that confirms nothing, is left
   *   out if it does not.
   * @param onTheWire whether what was written to a process at a time may never have been read, see {@link mayBeUnread}
   */
  record(hasArrived: (id: string) => boolean, onTheWire: (pid: number, at: number) => boolean): Promise<GroupRecord>;
  /** Figures that ought to be 0. */
  faults(): Record<string, number>;
  close(): Promise<void>;
}

/** How long before the end of a process what was written to it may not have arrived, milliseconds. */
const wireMs = 1000;

/** How long it takes at most until users know of that end, milliseconds. */
const noticeMs = 250;

/** Whether what was written to a process may never have been read: around its end, or while it stood still or was cut off. */
export function mayBeUnread(incidents: readonly Incident[], pid: number, at: number): boolean {
  return incidents.some(({ process, from, until }) => process === pid && from - wireMs < at && at <= until + noticeMs);
}
