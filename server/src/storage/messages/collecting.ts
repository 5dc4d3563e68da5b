import { setTimeout as wait } from 'node:timers/promises';

/** Operations that are stored together at most, so that the first of them does not wait without end. */
export const maximumOperations = 256;
/** From so many operations in a transaction, the next one waits for more of them: so long after it, milliseconds. */
const [manyOperations, collecting] = [8, 5];

/**
 * Waits after a transaction while much is to be stored: each one takes its time whatever it stores.
 * @param stored operations of the transaction
 * @param waiting operations that wait for the next one
 */
export async function collect(stored: number, waiting: number): Promise<void> {
  if (stored >= manyOperations && waiting < maximumOperations) await wait(collecting);
}
