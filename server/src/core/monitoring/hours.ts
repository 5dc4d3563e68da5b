const hour = 3_600_000;
const day = 24 * hour;

/** The start of the hour of a timestamp. Timestamps are ISO 8601 UTC with milliseconds. */
export function hourOf(timestamp: string): string {
  return `${timestamp.slice(0, 13)}:00:00.000Z`;
}

/** The start of the day of a timestamp. */
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

/** The first hour that starts at a timestamp or later. */
export function firstHourFrom(timestamp: string): string {
  return hourOf(timestamp) === timestamp ? timestamp : addHours(hourOf(timestamp), 1);
}

/** The first day that starts at a timestamp or later. */
export function firstDayFrom(timestamp: string): string {
  return dayOf(timestamp) === timestamp ? timestamp : startOfNextDay(timestamp);
}
