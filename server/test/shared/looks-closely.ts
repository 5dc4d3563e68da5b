import { engines } from '../stores/each-engine.ts';

/*
 * A test file that imports this is run by `npm test` and by `npm run test:long`; the former leaves out what this says.
 */

/** Whether to try everything, as `npm run test:long` does: `npm test` tries one of a kind. */
export const looksClosely = process.env.TEST_LOOK === 'closely';

/** How many of the examples of a property to try, of as many as are tried closely. */
export const runsTried = (runs: number) => (looksClosely ? runs : Math.ceil(runs / 5));

/** For tests whose subject is the service rather than what it stores. */
export const enginesTried = looksClosely ? engines : engines.slice(0, 1);

/** As {@link enginesTried}, for tests that are the same in both runs: one engine in each. */
export const enginesInTurns = looksClosely ? engines.slice(1) : enginesTried;
