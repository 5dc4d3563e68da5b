import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const megabyte = 1_000_000;

/** Resident memory of a process now, in MB of 1 000 000 bytes. */
export function residentMegabytes(pid: number): number {
  const kibibytes = status(pid, 'VmRSS') ?? Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`]));
  return (kibibytes * 1024) / megabyte;
}

/** The most that was ever resident, in MB of 1 000 000 bytes; null where the system does not tell. */
export function peakMegabytes(pid: number): number | null {
  const kibibytes = status(pid, 'VmHWM');
  return kibibytes === null ? null : (kibibytes * 1024) / megabyte;
}

/** Processor time that a process has used, in seconds; null where the system does not tell. */
export function processorSeconds(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may hold anything; user and system time are the 12th and 13th field after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Linux counts in these towards programs, whatever the kernel does itself. */
const ticksPerSecond = 100;

const sampleMs = 250;
/** So many samples in a row must be alike: three seconds of calm. */
const calmSamples = 12;
const maximumSamples = 480;

/**
 * Waits until the memory of a process stays within one percent.
 * @throws Error when it still moves after two minutes
 */
export async function settledMegabytes(pid: number): Promise<number> {
  const samples: number[] = [];
  while (samples.length < maximumSamples) {
    samples.push(residentMegabytes(pid));
    const last = samples.slice(-calmSamples);
    const highest = Math.max(...last);
    if (last.length === calmSamples && (highest - Math.min(...last)) / highest < 0.01) return last.at(-1) ?? highest;
    await delay(sampleMs);
  }
  throw new Error('The memory of the process does not settle');
}

function status(pid: number, field: string): number | null {
  if (process.platform !== 'linux') return null;
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return found === null ? null : Number(found[1]);
}
