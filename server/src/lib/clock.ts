/** Database time minus the time of this machine, milliseconds; 0 where no other process compares timestamps. */
let offset = 0;
/** The latest {@link present}. */
let latest = 0;
let formatted = { milliseconds: 0, text: '' };

/** Time that is set back by less than this stands still instead, so that timestamps stay in order. Milliseconds. */
const longestHalt = 1000;

/**
 * The present, milliseconds since 1970, by the clock that all replicas share: the database's once it was measured. For
 * what is stored, or compared with what is stored; `performance.now()` is for how long something takes.
 */
export function present(): number {
  const milliseconds = Math.round(Date.now() + offset);
  if (milliseconds > latest || latest - milliseconds > longestHalt) latest = milliseconds;
  return latest;
}

/** The present as ISO 8601 in UTC with milliseconds. */
export function now(): string {
  const milliseconds = present();
  // Several timestamps of a message are of the same millisecond.
  if (milliseconds !== formatted.milliseconds) formatted = { milliseconds, text: new Date(milliseconds).toISOString() };
  return formatted.text;
}

/** A timestamp after (or before, when negative) the present, ISO 8601 in UTC. */
export function secondsFromNow(seconds: number): string {
  return new Date(present() + seconds * 1000).toISOString();
}

/** The database's time, read at some point between two times of this machine. Milliseconds since 1970. */
export interface TimeMeasurement {
  database: number;
  /** `Date.now()` before the question was sent and after the answer arrived. */
  sent: number;
  answered: number;
}

/**
 * Follows the database's clock. A measurement says only between which bounds the offset is, as far apart as the round trip
 * took: an offset between them stays, so that a slow answer changes nothing that a quick one told more precisely.
 */
export function followDatabase({ database, sent, answered }: TimeMeasurement): void {
  // The machine's clock was set back meanwhile.
  if (answered < sent) return;
  // `Date.now()` leaves out parts of milliseconds.
  const [least, most] = [database - answered - 1, database - sent + 1];
  if (offset < least || offset > most) offset = (least + most) / 2;
}

/** Goes by the clock of this machine again: no other process compares timestamps. */
export function followMachine(): void {
  offset = 0;
}
