import { ParleyError } from '@parley/sdk';
import type { ServiceClient } from '../../kit/services/service-client.ts';
import { textAt } from '../../kit/services/values.ts';

/** The error of an event `error`. */
export function reportedFailure(event: Record<string, unknown>, client: ServiceClient): ParleyError {
  const code = textAt(event, 'code');
  const status = typeof event.status === 'number' ? event.status : null;
  // Dify says 400 of what is used up, too.
  return client.failure(/quota|rate_limit/.test(code) ? 429 : status, textAt(event, 'message') || code, code || null);
}

/** @param run `data` of an event `workflow_finished`; throws unless it went well */
export function expectGoodRun(run: Record<string, unknown>, client: ServiceClient): void {
  if (run.status === 'failed') throw client.failure(500, textAt(run, 'error'));
  if (run.status === 'stopped') throw client.failure(500, 'the run was stopped');
}

/** The error of a run that goes on when somebody at Dify has decided something; nobody who chats can. */
export function paused(): ParleyError {
  return new ParleyError('provider_failed', 'The run at Dify waits for somebody to decide.');
}
