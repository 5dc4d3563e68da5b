import type { TFunction } from 'i18next';
import { type Failure, failureOfRecord } from '../../lib/failure.ts';
import type { McpServer } from './server-queries.ts';

/** Why a server is not connected; null if nothing is known to be wrong. */
export function problemOf({ runtime_info }: McpServer, t: TFunction): Failure | null {
  const error = runtime_info?.error_message ?? null;
  if (error === null) return null;
  const { error_reason, error_hint = null } = runtime_info ?? {};
  return failureOfRecord({ reason: error_reason ?? 'tool_failed', error, response: null, hint: error_hint }, t);
}
