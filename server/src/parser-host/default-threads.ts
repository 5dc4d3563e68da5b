import { totalmem } from 'node:os';

/** Bytes below which one document is read at a time. */
const smallMachine = 2_000_000_000;

/** Default number of concurrently parsed documents. A slow one then leaves room for others. */
export function defaultThreadCount(memoryBytes: number): number {
  return memoryBytes < smallMachine ? 1 : 2;
}

/** Memory that this process may take, bytes: that of the machine, or of its container where that is less. */
export function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
