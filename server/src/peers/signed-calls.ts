import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';

const shortText = Type.String({ minLength: 1, maxLength: 128 });

/** What is signed of a call: all that its receiver acts on. */
const headSchema = Type.Object(
  {
    /** Ids of replicas. An id is new for each start, so a call is of no use after one. */
    from: shortText,
    to: shortText,
    principal: Type.Object({ kind: Type.Enum(['user', 'api-key', 'replica']), id: shortText }),
    /** What is called. */
    name: shortText,
    /** The database's time, milliseconds since 1970. */
    time: Type.Number(),
    /** Differs for each call. */
    nonce: shortText,
    /** SHA-256 of the body, base64url. */
    digest: shortText,
    /** Of the body, bytes. */
    length: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);

export type CallHead = Static<typeof headSchema>;

const headHeader = 'parley-call';
/** On calls and on answers. */
export const signatureHeader = 'parley-signature';

/** The headers of a call. */
export function signedHead(key: Buffer, head: CallHead): Record<string, string> {
  const text = Buffer.from(JSON.stringify(head)).toString('base64url');
  return { [headHeader]: text, [signatureHeader]: signature(key, 'call', text).toString('base64url') };
}

/** What the headers of a call say; null when they were not signed with the key. Nothing is parsed before that is known. */
export function openedHead(key: Buffer, headers: IncomingHttpHeaders): CallHead | null {
  const text = headers[headHeader];
  if (typeof text !== 'string' || !isSigned(headers[signatureHeader], signature(key, 'call', text))) return null;
  const head: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  return Check(headSchema, head) ? head : null;
}

/** The signature of an answer, which belongs to one call. */
export function answerSignature(key: Buffer, nonce: string, status: number, body: Buffer): string {
  return signature(key, 'answer', `${nonce} ${status} ${digestOf(body)}`).toString('base64url');
}

export function isAnswerSigned(
  key: Buffer,
  { nonce, status, body }: { nonce: string; status: number; body: Buffer },
  given: unknown,
): boolean {
  return isSigned(given, signature(key, 'answer', `${nonce} ${status} ${digestOf(body)}`));
}

/** SHA-256, base64url. */
export function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url');
}

function signature(key: Buffer, purpose: 'call' | 'answer', text: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}\n${text}`).digest();
}

function isSigned(given: unknown, wanted: Buffer): boolean {
  if (typeof given !== 'string') return false;
  const bytes = Buffer.from(given, 'base64url');
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}
