import { configureGlobal, readConfigureGlobal } from 'fast-check';

/**
 * Property tests try the same input in every run, so that a failure belongs to the change that is tested. Others are tried
 * with `TEST_SEED=<integer>`, or `TEST_SEED=random`.
 */
const { TEST_SEED: seed = '20261129' } = process.env;

if (seed !== 'random') {
  if (!/^-?\d{1,9}$/.test(seed)) throw new Error(`TEST_SEED is neither an integer nor "random": ${seed}`);
  configureGlobal({ ...readConfigureGlobal(), seed: Number(seed) });
}
