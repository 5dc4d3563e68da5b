import { silentLogger } from '@parley/sdk/testing';
import { Cancellations } from '../../src/core/messages/cancellations.ts';
import { RunningAnswers } from '../../src/core/messages/running-answers.ts';

/** Cancels answers of this process, the only one. */
export function localCancellations(running = new RunningAnswers()): Cancellations {
  return new Cancellations(running, { store: null, tell: () => undefined, logger: silentLogger });
}
