import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../lib/thread-priority.ts';
import type { SchemaAnswer, SchemaQuestion } from './schema-messages.ts';
import { SchemaValidator } from './schema-validator.ts';

/*
 * A thread that checks parameters with schemas of others. It is ended from outside when it takes too long.
 */

/** Messages of bots go before. */
const niceness = 5;
/** Longest error of a compiler, characters: it may repeat the schema. */
const longestError = 300;

lowerThreadPriority(niceness);
const validator = new SchemaValidator();
const post = (answer: SchemaAnswer) => parentPort?.postMessage(answer);

parentPort?.on('message', ({ schema, parameters }: SchemaQuestion) => {
  try {
    post({ type: 'checked', faults: validator.faultsOf(schema, parameters) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    post({ type: 'unusable', error: message.slice(0, longestError) });
  }
});
post({ type: 'ready' });
