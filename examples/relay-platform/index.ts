/** A platform: a relay that posts messages of users to a webhook. `extensions: [./examples/relay-platform]` loads it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  Address,
  DeliveryError,
  type Extension,
  type MessageEvent,
  ParleyError,
  type Platform,
  type PlatformAdapter,
  Secret,
  textOfChain,
  type WebhookRequest,
} from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { Check, Default } from 'typebox/value';

const Config = Type.Object({
  address: Address({
    default: '',
    'x-label': { en_US: 'Address' },
    description: 'Receives answers as POST requests.',
  }),
  secret: Secret({
    default: '',
    'x-label': { en_US: 'Secret' },
    description: 'Signs requests in both directions.',
  }),
});

/** A message of a user, as the relay posts it. */
const Incoming = Type.Object({
  id: Type.String({ minLength: 1 }),
  user: Type.String({ minLength: 1 }),
  name: Type.Optional(Type.String()),
  text: Type.String(),
});

/** How old a signed request may be, seconds. */
const window = 300;
const timeoutMs = 10_000;

const signatureOf = (secret: string, timestamp: string, body: string | Uint8Array) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** @throws ParleyError `invalid_signature`; checked on the raw bytes, before anything is parsed */
function verify({ headers, body }: WebhookRequest, secret: string): void {
  const { 'x-relay-timestamp': timestamp = '', 'x-relay-signature': signature = '' } = headers;
  const expected = Buffer.from(signatureOf(secret, timestamp, body));
  const given = Buffer.from(signature);
  const isGood = secret !== '' && given.length === expected.length && timingSafeEqual(given, expected);
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!isGood || !(age <= window)) throw new ParleyError('invalid_signature', 'The signature is wrong or too old.');
}

function eventOf(body: Uint8Array): MessageEvent {
  let message: unknown;
  try {
    message = JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Reported below, like JSON of another shape.
  }
  if (!Check(Incoming, message)) throw new ParleyError('invalid_request', 'The message has the wrong shape.');
  return {
    platform_message_id: message.id,
    session_type: 'person',
    session_id: message.user,
    sender_id: message.user,
    sender_name: message.name ?? message.user,
    message_chain: [{ type: 'Plain', text: message.text }],
  };
}

export const relay: Platform = {
  name: 'relay',
  label: { en_US: 'Relay', zh_Hans: '中继' },
  description: { en_US: 'Messages by signed HTTP requests.', zh_Hans: '通过签名请求收发消息。' },
  categories: ['protocol'],
  capabilities: {
    proactive: 'any',
    streams: {},
    text_limit: { most: 4000, unit: 'utf16' },
    idempotent_sends: true,
    elements: ['Plain'],
    webhook: true,
  },
  // Every replica takes what the relay posts.
  receives: () => 'requests',
  config: Config,
  load: async () => ({
    create(given, { fetch, receive }): PlatformAdapter {
      const config = Default(Config, given) as Static<typeof Config>;
      let running: AbortController | null = null;
      let isStopped = false;
      return {
        async start() {
          if (!URL.canParse(config.address)) throw new ParleyError('invalid_request', 'The address is not a URL.');
          running ??= new AbortController();
          isStopped = false;
        },
        async stop() {
          running?.abort();
          running = null;
          isStopped = true;
        },
        async handleWebhook(request) {
          if (isStopped) throw new ParleyError('bot_not_running', 'The relay is not connected.');
          verify(request, config.secret);
          // The relay posts again until it is answered 200, so this is returned once the message is stored.
          await receive(eventOf(request.body));
          return { status: 200 };
        },
        async send({ target, message_chain, idempotency_token }) {
          if (running === null) throw new ParleyError('bot_not_running', 'The relay is not connected.');
          const body = JSON.stringify({
            user: target.session_id,
            text: textOfChain(message_chain),
            token: idempotency_token,
          });
          const timestamp = String(Math.floor(Date.now() / 1000));
          const headers = {
            'content-type': 'application/json',
            'x-relay-timestamp': timestamp,
            'x-relay-signature': signatureOf(config.secret, timestamp, body),
          };
          const signal = AbortSignal.any([running.signal, AbortSignal.timeout(timeoutMs)]);
          const response = await fetch(config.address, { method: 'POST', headers, body, signal }).catch(
            (error: Error) => {
              const { code } = (error.cause ?? {}) as { code?: string };
              const wasRefused = code === 'ECONNREFUSED' || code === 'ENOTFOUND';
              throw new DeliveryError(
                wasRefused ? 'not_sent' : 'unknown',
                'platform_failed',
                'The relay did not respond.',
              );
            },
          );
          if (response.ok) return { platform_message_id: ((await response.json()) as { id: string }).id };
          const { status } = response;
          const pauseMs = Number(response.headers.get('retry-after') ?? 1) * 1000;
          const rateLimit = { pauseMs, scope: 'bot' } as const;
          if (status === 429) throw new DeliveryError('not_sent', 'quota', 'Too many messages.', { rateLimit });
          throw new DeliveryError(
            status < 500 ? 'refused' : 'unknown',
            'platform_failed',
            `The relay returned ${status}.`,
          );
        },
      };
    },
  }),
};

export default { sdk: '^0.1.0', platforms: [relay] } satisfies Extension;
