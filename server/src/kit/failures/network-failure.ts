import type { DeliveryFailureKind } from '@parley/sdk';

/** A call that got no response. */
export interface NetworkFailure {
  /** `not_sent`, or `unknown` when the request may have left. */
  kind: Exclude<DeliveryFailureKind, 'refused'>;
  /** Code of the system or the library; null if none. */
  code: string | null;
  isTimeout: boolean;
}

/** Codes of failures that come before a request can leave: no address, no connection, no trust in the certificate. */
const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Classifies what an HTTP client threw: whether the request can have reached the platform. */
export function networkFailureOf(error: unknown): NetworkFailure {
  const causes = causesOf(error);
  if (causes.some((cause) => /timed out|TimeoutError/.test(String(cause)))) {
    return { kind: 'unknown', code: null, isTimeout: true };
  }
  const codes = causes.flatMap(codesIn);
  const isNotSent = codes.some((code) => notSentCodes.has(code)) || causes.some(isAboutConnecting);
  return { kind: isNotSent ? 'not_sent' : 'unknown', code: codes[0] ?? null, isTimeout: false };
}

/** The kind of a call that returned an error status. */
export function failureKindOf(status: number): DeliveryFailureKind {
  if (status === 429) return 'not_sent';
  return status >= 500 ? 'unknown' : 'refused';
}

/** An error and its causes; some libraries wrap errors in `error`. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let current = error; typeof current === 'object' && current !== null && causes.length < 8; ) {
    causes.push(current);
    current = (current as { error?: unknown }).error ?? (current as { cause?: unknown }).cause;
  }
  return causes;
}

/** A connection that was tried on several addresses fails with a list. */
function codesIn(error: unknown): string[] {
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  const inner = Array.isArray(errors) ? errors.map((one: { code?: unknown }) => one?.code) : [];
  return [code, ...inner].filter((one) => typeof one === 'string');
}

/** The failed system call decides, also for codes that an established connection can fail with. */
function isAboutConnecting(error: unknown): boolean {
  const { syscall, errors } = error as { syscall?: unknown; errors?: unknown };
  return syscall === 'connect' || (Array.isArray(errors) && errors.some(isAboutConnecting));
}
