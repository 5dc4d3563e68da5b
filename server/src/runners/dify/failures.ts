import { ParleyError } from '@parley/sdk';
import type { ServiceClient } from '../../kit/services/service-client.ts';
import { textAt } from '../../kit/services/values.ts';

/** The error of an event `error`. */
export function reportedFailure(event: Record<string, unknown>, client: ServiceClient): ParleyError {
  const code = textAt(event, 'code');
  const status = typeof event.status === 'number' ? event.status : null;
  // Dify also responds with 400 when a quota is exhausted.
  return client.failure(/quota|rate_limit/.test(code) ? 429 : status, textAt(event, 'message') || code, code || null);
}

/** @param run `data` of an event `workflow_finished`; throws unless it went well */
export function expectGoodRun(run: Record<string, unknown>, client: ServiceClient): void {
  if (run.status === 'failed') throw client.failure(500, textAt(run, 'error'));
  if (run.status === 'stopped') throw client.failure(500, 'the run was stopped');
}

/** The error of a run that is paused for human input at Dify, which chat users cannot give. */
export function paused(): ParleyError {
  return new ParleyError('provider_failed', 'The Dify run is paused for human input.');
}
