import type { Logger } from '../src/logger.ts';

const drop = () => undefined;

/** A logger for tests that do not check log entries. */
export const silentLogger: Logger = { debug: drop, info: drop, warn: drop, error: drop };
