import { ParleyError, type PlatformContext, type WebhookRequest, type WebhookResponse } from '@parley/sdk';
import { verifyFirstUse, verifySignature } from '../../kit/webhooks/signed-request.ts';
import type { SlackSettings } from './config.ts';
import type { Inbox } from './inbox.ts';
import { fieldsOf, textOf } from './parse-event.ts';
import type { Fields } from './slack-api.ts';

type Key = Pick<SlackSettings, 'signing_secret'>;

/**
 * Answers Slack's verification of the address.
 * @returns null for any other request
 * @throws ParleyError `invalid_signature`
 * @see https://docs.slack.dev/reference/events/url_verification
 */
export async function verifyAddress(settings: Key, request: WebhookRequest): Promise<WebhookResponse | null> {
  // In socket mode there is no secret, and no address.
  if (settings.signing_secret.trim() === '') return null;
  verified(settings, request);
  const body = bodyOf(request);
  return body?.type === 'url_verification' ? { status: 200, body: textOf(body.challenge) } : null;
}

/**
 * Takes the events of a request: it is acknowledged when they are stored.
 * @throws ParleyError `invalid_signature`, `invalid_request`, or why they were not stored
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export async function takeRequest(
  settings: Key,
  request: WebhookRequest,
  { inbox, context }: { inbox: Inbox; context: Pick<PlatformContext, 'isFirstUse'> },
): Promise<WebhookResponse> {
  const { signature, sentAt } = verified(settings, request);
  // A retry may have the same second, and so the same signature.
  const [retry = ''] = /^[123]$/.exec(request.headers['x-slack-retry-num'] ?? '') ?? [];
  await verifyFirstUse(context, { id: `${signature}${retry}`, sentAt });
  const body = bodyOf(request);
  if (body === null) {
    // Commands and buttons, which are not used, come as forms.
    if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return { status: 200 };
    throw new ParleyError('invalid_request', 'The body of the request is not JSON');
  }
  if (body.type === 'event_callback') await inbox.take(fieldsOf(body.event));
  return { status: 200 };
}

function verified({ signing_secret }: Key, { headers, body }: WebhookRequest): { signature: string; sentAt: number } {
  const timestamp = headers['x-slack-request-timestamp'] ?? '';
  const sent = headers['x-slack-signature'];
  const signature = verifySignature({
    value: sent?.startsWith('v0=') ? sent.slice('v0='.length) : undefined,
    encoding: 'hex',
    algorithm: 'sha256',
    key: signing_secret.trim(),
    content: [`v0:${timestamp}:`, body],
  });
  return { signature, sentAt: /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN };
}

function bodyOf({ body }: WebhookRequest): Fields | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}
