/** A line of the log of the server, taken apart. */
export interface LogLine {
  /** Its place among all lines that were read, from 0. */
  number: number;
  /** `11-21 21:10:57.123`, in UTC; empty where the line has another form. */
  moment: string;
  level: string;
  place: string;
  message: string;
}

/** Reads `[MM-DD HH:MM:SS.mmm] file (line) - [LEVEL] : message`. */
export function logLine(text: string, number: number): LogLine {
  const [, moment, place, level, message] = /^\[([\d: .-]+)\] (.*?) - \[([A-Z]+)\] : (.*)$/.exec(text) ?? [];
  if (moment === undefined) return { number, moment: '', level: 'INFO', place: '', message: text };
  return { number, moment, level: level ?? 'INFO', place: place ?? '', message: message ?? '' };
}
