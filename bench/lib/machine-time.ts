/**
 * Milliseconds, with fractions, on the clock that all processes of a machine share. It counts from no known date, and
 * nothing sets it: times of two processes stay comparable while the clock of the machine is corrected.
 */
export function machineTime(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
