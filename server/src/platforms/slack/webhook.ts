import { ParleyError, type PlatformContext, type WebhookRequest, type WebhookResponse } from '@parley/sdk';
import { forgottenIfItFails, takeFirstUse, verifySignature } from '../../kit/webhooks/signed-request.ts';
import { present } from '../../lib/clock.ts';
import type { SlackSettings } from './config.ts';
import type { Inbox } from './inbox.ts';
import { clientKeyOf, fieldsOf, textOf } from './parse-event.ts';
import type { Fields } from './slack-api.ts';

/** How long it is remembered which message an action of a user was taken as, milliseconds. */
const rememberedMs = 60 * 60 * 1000;

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
  { inbox, context }: { inbox: Pick<Inbox, 'take'>; context: Pick<PlatformContext, 'isFirstUse' | 'forgetUse'> },
): Promise<WebhookResponse> {
  const { signature, sentAt } = verified(settings, request);
  // A retry may have the same second, and so the same signature.
  const [retry = ''] = /^[123]$/.exec(request.headers['x-slack-retry-num'] ?? '') ?? [];
  return takeFirstUse(context, { id: `${signature}${retry}`, sentAt }, () => takeBody(request, { inbox, context }));
}

async function takeBody(
  request: WebhookRequest,
  { inbox, context }: { inbox: Pick<Inbox, 'take'>; context: Pick<PlatformContext, 'isFirstUse' | 'forgetUse'> },
): Promise<WebhookResponse> {
  const body = bodyOf(request);
  if (body === null) {
    // Commands and buttons, which are not used, come as forms.
    if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return { status: 200 };
    throw new ParleyError('invalid_request', 'The body of the request is not JSON');
  }
  if (body.type !== 'event_callback') return { status: 200 };
  const event = fieldsOf(body.event);
  const key = clientKeyOf(event);
  // One action of a user has come as two messages, perhaps to two replicas.
  const isFirst = key === null || (await context.isFirstUse(key, new Date(present() + rememberedMs)));
  if (isFirst) await (key === null ? inbox.take(event) : forgottenIfItFails(context, key, () => inbox.take(event)));
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
