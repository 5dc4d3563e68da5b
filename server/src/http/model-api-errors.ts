import type { Reason } from '@parley/sdk';
import type { ErrorAnswer } from './error-mapping.ts';

/** Errors in the format of OpenAI. */
export interface ModelApiError {
  error: {
    message: string;
    type: 'invalid_request_error' | 'permission_error' | 'rate_limit_error' | 'server_error';
    /** The invalid field; null if there is none. */
    param: string | null;
    /** A stable identifier. */
    code: string;
  };
}

/** Statuses that OpenAI clients expect, where they differ. */
const statuses: Partial<Record<Reason, number>> = { sensitive_word: 400, access_denied: 403, quota: 429 };

/** Codes that OpenAI clients know, where they differ. */
const codes: Partial<Record<Reason, string>> = { unauthorized: 'invalid_api_key', sensitive_word: 'content_filter' };

/** By the field that refers to the missing resource. */
const missing: Readonly<Record<string, string>> = {
  model: 'model_not_found',
  previous_response_id: 'previous_response_not_found',
};

/** An error in the format that the path requires. */
export function shapedError(url: string, answer: ErrorAnswer) {
  if (isModelApiPath(url)) return { ...answer, ...modelApiError(answer) };
  return isWebhookPath(url) ? { ...answer, body: { error: answer.body.msg, ...answer.body } } : answer;
}

/** Whether platforms call this path, also if it does not exist. They read `error`. */
function isWebhookPath(url: string): boolean {
  return /^\/bots(?:[/?]|$)/.test(url);
}

/** Whether a path belongs to the model API, also if it does not exist. */
export function isModelApiPath(url: string): boolean {
  return /^\/v1(?:[/?]|$)/.test(url);
}

/** An error of the model API. */
export function modelApiError({ status, body }: Pick<ErrorAnswer, 'status' | 'body'>): {
  status: number;
  body: ModelApiError;
} {
  const { reason, msg: message } = body;
  const own = statuses[reason] ?? status;
  const param = body.details?.[0]?.path || null;
  const code = (reason === 'not_found' && param !== null && missing[param]) || codes[reason] || reason;
  return { status: own, body: { error: { message, type: typeOf(own), param, code } } };
}

function typeOf(status: number): ModelApiError['error']['type'] {
  if (status >= 500) return 'server_error';
  if (status === 429) return 'rate_limit_error';
  return status === 403 ? 'permission_error' : 'invalid_request_error';
}
