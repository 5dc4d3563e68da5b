import { ParleyError, type WebhookRequest, type WebhookResponse } from '@parley/sdk';
import { textAt } from '../../kit/services/values.ts';
import { WechatCrypto } from '../../kit/wechat-crypto.ts';
import { present } from '../../lib/clock.ts';
import type { WecomBotSettings } from './config.ts';

type Secrets = Pick<WecomBotSettings, 'Token' | 'EncodingAESKey'>;

/** A request that was signed and encrypted with the secrets of the bot. */
export interface OpenedRequest {
  body: Record<string, unknown>;
  /** Its signature, in one spelling. */
  id: string;
  nonce: string;
  /** Milliseconds since 1970; NaN if there is none. */
  sentAt: number;
}

/** How far the clocks may differ, milliseconds. */
export const requestWindow = 300_000;

/** Bots have no receive id. @throws ParleyError `invalid_request` for a key that is none */
export function cryptoOf({ Token, EncodingAESKey }: Secrets): WechatCrypto {
  return new WechatCrypto({ token: Token.trim(), encodingAesKey: EncodingAESKey.trim(), receiveId: '' });
}

/**
 * Answers the verification of the address with the text that it decrypts.
 * @returns null for any other request
 * @throws ParleyError `invalid_signature`, `invalid_request`
 * @see https://developer.work.weixin.qq.com/document/path/90930
 */
export function verifyAddress(settings: Secrets, { method, query }: WebhookRequest): WebhookResponse | null {
  const { echostr, msg_signature: signature, timestamp = '', nonce = '' } = query;
  if (method !== 'GET' || echostr === undefined) return null;
  // Plus signs of base64 that were not escaped.
  const encrypted = echostr.replaceAll(' ', '+');
  return { status: 200, body: cryptoOf(settings).open({ signature, timestamp, nonce, encrypted }) };
}

/** Verifies and decrypts a request. @throws ParleyError `invalid_signature`, `invalid_request` */
export function openRequest(crypto: WechatCrypto, { method, path, query, body }: WebhookRequest): OpenedRequest {
  if (method !== 'POST' || path !== '') {
    throw new ParleyError('invalid_request', 'Messages must be posted to the webhook URL itself');
  }
  const { msg_signature: signature = '', timestamp = '', nonce = '' } = query;
  const encrypted = textAt(jsonOf(Buffer.from(body).toString()), 'encrypt');
  const text = crypto.open({ signature, timestamp, nonce, encrypted });
  const sentAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN;
  if (!(Math.abs(present() - sentAt) <= requestWindow)) {
    throw new ParleyError('invalid_signature', 'The timestamp of the request is too far from the time of this server');
  }
  return { body: jsonOf(text), id: signature.toLowerCase(), nonce, sentAt };
}

/**
 * A response, encrypted and signed.
 * @param nonce of the request
 * @see https://developer.work.weixin.qq.com/document/path/101033
 */
export function sealResponse(crypto: WechatCrypto, answer: object, nonce: string): WebhookResponse {
  const timestamp = Math.floor(present() / 1000);
  const sealed = crypto.seal(JSON.stringify(answer), String(timestamp), nonce);
  const { encrypted: encrypt, signature: msgsignature } = sealed;
  const body = JSON.stringify({ encrypt, msgsignature, timestamp, nonce });
  return { status: 200, content_type: 'application/json', body };
}

/** @throws ParleyError `invalid_request` */
function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // As for anything else that is no object.
  }
  throw new ParleyError('invalid_request', 'The body of the request is not JSON');
}
