const hour = 3_600_000;
const day = 24 * hour;

/** The hour in which a moment lies: the moment at which it begins. Moments are ISO 8601 UTC with milliseconds. */
export function hourOf(moment: string): string {
  return `${moment.slice(0, 13)}:00:00.000Z`;
}

/** The day in which a moment lies. */
export function dayOf(moment: string): string {
  return `${moment.slice(0, 10)}T00:00:00.000Z`;
}

export function addHours(moment: string, count: number): string {
  return addMilliseconds(moment, count * hour);
}

export function addMilliseconds(moment: string, count: number): string {
  return new Date(Date.parse(moment) + count).toISOString();
}

export function startOfNextDay(moment: string): string {
  return addMilliseconds(dayOf(moment), day);
}

/** The first hour that begins at a moment or later. */
export function firstHourFrom(moment: string): string {
  return hourOf(moment) === moment ? moment : addHours(hourOf(moment), 1);
}

/** The first day that begins at a moment or later. */
export function firstDayFrom(moment: string): string {
  return dayOf(moment) === moment ? moment : startOfNextDay(moment);
}
