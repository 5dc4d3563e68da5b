import type { RecordedSend } from '../faults/record.ts';

/** What a process had sent before it stood still may arrive later by so much, milliseconds. */
const wireMs = 100;

/** How long a process stood still, or was cut off. */
export interface Pause {
  pid: number;
  from: number;
  until: number;
}

/**
 * Sends of a process after another one had taken over what it did when it stood still, unless that one stood still as well
 * meanwhile, so that the first may have taken over in turn.
 */
export function lateSends(sends: readonly RecordedSend[], pauses: readonly Pause[]): RecordedSend[] {
  const stoodStill = (pid: number, from: number, until: number) =>
    pauses.some((one) => one.pid === pid && one.from < until && one.until > from);
  return sends.filter((send) =>
    pauses.some(
      ({ pid, from, until }) =>
        pid === send.process &&
        send.receivedAt > until - wireMs &&
        sends.some(
          (other) =>
            other.process !== pid &&
            other.receivedAt > from &&
            other.receivedAt < send.receivedAt &&
            other.questions.some((id) => send.questions.includes(id)) &&
            !stoodStill(other.process, other.receivedAt, send.receivedAt),
        ),
    ),
  );
}
