import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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
  return process.platform === 'linux' ? statOf(`/proc/${pid}`).seconds : null;
}

/**
 * Processor time of the threads of a process by their names, in seconds: those that are alive. Threads that share a name
 * are one figure. Empty where the system does not tell.
 */
export function threadSeconds(pid: number): Record<string, number> {
  if (process.platform !== 'linux') return {};
  const seconds: Record<string, number> = {};
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = statOf(`/proc/${pid}/task/${thread}`);
    const name = thread === String(pid) ? 'main' : stat.name;
    seconds[name] = (seconds[name] ?? 0) + stat.seconds;
  }
  return seconds;
}

/** Processor time of a process and those that it has started, ended ones included; null where the system does not tell. */
export function familySeconds(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const { seconds, endedSeconds } = statOf(`/proc/${pid}`);
  let sum = seconds + endedSeconds;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const child = statOf(`/proc/${entry}`);
      if (child.parent === pid) sum += child.seconds;
    } catch {
      // It has ended, and counts with its parent.
    }
  }
  return sum;
}

/** @param folder of a process or a thread below `/proc` */
function statOf(folder: string): { name: string; parent: number; seconds: number; endedSeconds: number } {
  const text = readFileSync(`${folder}/stat`, 'utf8');
  // The name, in parentheses, may hold anything. Behind it are, from 0: 1 the parent, 11 and 12 user and system time,
  // 13 and 14 those of ended children.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const sum = (...places: number[]) => places.reduce((total, place) => total + (fields[place] ?? 0), 0);
  return {
    name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
    parent: sum(1),
    seconds: sum(11, 12) / ticksPerSecond,
    endedSeconds: sum(13, 14) / ticksPerSecond,
  };
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
