/** A parsed line of the server log. */
export interface LogLine {
  /** Its number among all fetched lines, from 0. */
  number: number;
  /** `11-21 21:10:57.123`, in UTC; empty for lines in another format. */
  timestamp: string;
  level: string;
  place: string;
  message: string;
}

/** Parses `[MM-DD HH:MM:SS.mmm] file (line) - [LEVEL] : message`. */
export function logLine(text: string, number: number): LogLine {
  const [, timestamp, place, level, message] = /^\[([\d: .-]+)\] (.*?) - \[([A-Z]+)\] : (.*)$/.exec(text) ?? [];
  if (timestamp === undefined) return { number, timestamp: '', level: 'INFO', place: '', message: text };
  return { number, timestamp, level: level ?? 'INFO', place: place ?? '', message: message ?? '' };
}
