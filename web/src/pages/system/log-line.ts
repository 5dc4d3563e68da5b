/** A line of the log of the server, taken apart. */
export interface LogLine {
  /** Its place among all lines that were read, from 0. */
  number: number;
  /** `11-21 21:10:57.123`, in UTC; empty where the line has another form. */
  timestamp: string;
  level: string;
  place: string;
  message: string;
}

/** Reads `[MM-DD HH:MM:SS.mmm] file (line) - [LEVEL] : message`. */
export function logLine(text: string, number: number): LogLine {
  const [, timestamp, place, level, message] = /^\[([\d: .-]+)\] (.*?) - \[([A-Z]+)\] : (.*)$/.exec(text) ?? [];
  if (timestamp === undefined) return { number, timestamp: '', level: 'INFO', place: '', message: text };
  return { number, timestamp, level: level ?? 'INFO', place: place ?? '', message: message ?? '' };
}
