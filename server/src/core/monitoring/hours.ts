const hour = 3_600_000;
const day = 24 * hour;

/** The hour in which a moment lies: the moment at which it begins. Moments are ISO 8601 UTC with milliseconds. */
export function hourOf(timestamp: string): string {
  return `${timestamp.slice(0, 13)}:00:00.000Z`;
}

/** The day in which a moment lies. */
export function dayOf(timestamp: string): string {
  return `${timestamp.slice(0, 10)}T00:00:00.000Z`;
}

export function addHours(timestamp: string, count: number): string {
  return addMilliseconds(timestamp, count * hour);
}

export function addMilliseconds(timestamp: string, count: number): string {
  return new Date(Date.parse(timestamp) + count).toISOString();
}

export function startOfNextDay(timestamp: string): string {
  return addMilliseconds(dayOf(timestamp), day);
}

/** The first hour that begins at a moment or later. */
export function firstHourFrom(timestamp: string): string {
  return hourOf(timestamp) === timestamp ? timestamp : addHours(hourOf(timestamp), 1);
}

/** The first day that begins at a moment or later. */
export function firstDayFrom(timestamp: string): string {
  return dayOf(timestamp) === timestamp ? timestamp : startOfNextDay(timestamp);
}
