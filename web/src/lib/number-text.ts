import { dateFormat, numberFormat } from './formats.ts';

/** A duration in a readable unit. */
export function duration(milliseconds: number, language: string): string {
  const [value, unit, digits] =
    milliseconds >= 60_000
      ? ([milliseconds / 60_000, 'minute', 1] as const)
      : milliseconds >= 1000
        ? ([milliseconds / 1000, 'second', 2] as const)
        : ([milliseconds, 'millisecond', milliseconds < 10 ? 2 : 0] as const);
  return numberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value);
}

export function number(value: number, language: string, digits = 0): string {
  return numberFormat(language, { maximumFractionDigits: digits }).format(value);
}

/** A timestamp with seconds. */
export function exactTime(timestamp: string, language: string): string {
  return dateFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(timestamp));
}
