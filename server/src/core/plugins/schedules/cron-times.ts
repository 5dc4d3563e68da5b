import { Cron } from 'croner';

/** A time that is missed by more than this is skipped, milliseconds. */
const longestDelayMs = 3_600_000;
/** A time that was handled is not further ahead than this unless the clock was wrong, milliseconds. */
const longestClockChangeMs = 24 * 3_600_000;

/** When a schedule is due. */
export interface CronRule {
  /** Minute, hour, day of the month, month, day of the week. */
  cron: string;
  /** Of the IANA database. */
  time_zone: string;
}

/** Times of a schedule, milliseconds since 1970. */
export interface CronTimes {
  /** The latest that has come, and is run for; null for none. */
  due: number | null;
  /** The first of those that were missed by more than an hour, and are skipped; null for none. */
  missed: number | null;
  /** The first that has not come; null for none until the year 10000. */
  next: number | null;
}

/** Why a cron expression is refused; null for a good one. It has the part of the syntax that all programs agree on. */
export function cronFault(cron: string): string | null {
  // Other programs take neither names of months nor what follows `L`, `W` and `#` alike.
  if (!/^[0-9*,/-]+( [0-9*,/-]+){4}$/.test(cron)) {
    return 'must have five fields of numbers, with one space between them';
  }
  try {
    return open({ cron, time_zone: 'UTC' }).nextRun() === null ? 'never occurs' : null;
  } catch (error) {
    return `is no schedule: ${error instanceof Error ? error.message.replace('CronPattern: ', '') : ''}`;
  }
}

/** @param handled the last time that was run for or skipped, milliseconds since 1970 */
export function cronTimes(rule: CronRule, handled: number, now: number): CronTimes {
  const cron = open(rule);
  const after = (time: number) => cron.nextRun(new Date(time))?.getTime() ?? null;
  const first = after(handled - now > longestClockChangeMs ? now : handled);
  const isMissed = first !== null && first < now - longestDelayMs;
  let due: number | null = null;
  let next = isMissed ? after(now - longestDelayMs - 1) : first;
  while (next !== null && next <= now) {
    due = next;
    next = after(next);
  }
  return { due, missed: isMissed ? first : null, next };
}

/** Without a function, it starts no timer. */
function open({ cron, time_zone }: CronRule): Cron {
  // A time with neither `*` nor steps in it runs once where clocks are put back, and after the gap where it is left out.
  return new Cron(cron, { mode: '5-part', timezone: time_zone, fixedTimeRule: 'no-wildcard' });
}
