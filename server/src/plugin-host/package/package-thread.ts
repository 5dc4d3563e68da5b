import { Worker } from 'node:worker_threads';
import { ParleyError } from '@parley/sdk';
import type { InspectedPackage } from '../../core/plugins/package/inspect-package.ts';
import { refusal } from '../../core/plugins/package/plugin-fault.ts';
import { threadEnvironment } from '../../lib/thread-environment.ts';
import type { PackageAnswer, PackageQuestion } from './package-messages.ts';

/** How long a package may take; the costliest manifest takes 0.3 s. Most of it is for a busy machine, milliseconds. */
const deadlineMs = 60_000;

/**
 * Checks a package, and unpacks it if asked to, in a thread: the check takes long enough to hold up messages. The thread
 * ends with its answer.
 * @throws ParleyError `plugin_invalid` or `plugin_incompatible`
 */
export async function readInThread(question: PackageQuestion): Promise<InspectedPackage> {
  // Next to this file, built or not.
  const name = import.meta.url.endsWith('.ts') ? './package-worker.ts' : './package-worker.js';
  const worker = new Worker(new URL(name, import.meta.url), {
    workerData: question,
    env: threadEnvironment(),
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const { promise, resolve, reject } = Promise.withResolvers<PackageAnswer>();
  const timer = setTimeout(() => reject(refusal('', `takes more than ${deadlineMs / 1000} s to check`)), deadlineMs);
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', () => reject(refusal('', 'takes too much memory to check')));
  try {
    const answer = await promise;
    if (answer.type === 'inspected') return answer.inspected;
    const { reason, message, details } = answer;
    throw new ParleyError(reason, message, { details });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw refusal('', 'takes too much memory to check', error);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
