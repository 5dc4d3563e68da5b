import { ParleyError } from '@parley/sdk';

/**
 * How a call went wrong: Telegram `refused` it; it was `unsent`, because no connection stood; or it is `uncertain`
 * whether it was carried out, because the connection broke, nothing was answered in time, or the server had a fault.
 */
export type FailureKind = 'refused' | 'unsent' | 'uncertain';

interface FailureDetails {
  /** Telegram's number for it, which is like an HTTP status; 0 when it gave none. */
  code?: number;
  /** Seconds after which Telegram takes calls again. */
  retryAfter?: number;
  /** The group has become another one. */
  migratedTo?: number;
}

/** What went wrong with a call of the Bot API. Its message is Telegram's description and never holds the token. */
export class TelegramFailure extends Error {
  readonly kind: FailureKind;
  readonly code: number;
  readonly retryAfter: number | null;
  readonly migratedTo: number | null;

  constructor(kind: FailureKind, message: string, { code = 0, retryAfter, migratedTo }: FailureDetails = {}) {
    super(message);
    this.name = 'TelegramFailure';
    this.kind = kind;
    this.code = code;
    this.retryAfter = retryAfter ?? null;
    this.migratedTo = migratedTo ?? null;
  }

  /** Whether Telegram does not know the token: 401, or 404 when it does not even look like one. */
  get isUnauthorized(): boolean {
    return this.kind === 'refused' && (this.code === 401 || this.code === 404);
  }
}

/** What the system calls a connection that never stood. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * The failure inside whatever was thrown.
 * @param token taken out of the message
 * @returns a ParleyError as it is, else a TelegramFailure
 */
export function failureOf(error: unknown, token: string): Error {
  const known = causesOf(error).find((cause) => cause instanceof ParleyError || cause instanceof TelegramFailure);
  if (known !== undefined) return known as Error;
  const refusal = error as Partial<{ error_code: unknown; description: unknown; parameters: unknown }>;
  if (typeof refusal?.description === 'string') {
    const { retry_after, migrate_to_chat_id } = (refusal.parameters ?? {}) as Record<string, unknown>;
    const code = typeof refusal.error_code === 'number' ? refusal.error_code : 0;
    return new TelegramFailure(code >= 500 ? 'uncertain' : 'refused', without(token, refusal.description), {
      code,
      ...(typeof retry_after === 'number' ? { retryAfter: retry_after } : {}),
      ...(typeof migrate_to_chat_id === 'number' ? { migratedTo: migrate_to_chat_id } : {}),
    });
  }
  const causes = causesOf(error);
  if (causes.some((cause) => /timed out|TimeoutError/.test(String(cause)))) {
    return new TelegramFailure('uncertain', 'Telegram did not answer in time');
  }
  const codes = causes.flatMap(codesIn);
  const kind = codes.some((code) => unsentCodes.has(code)) ? 'unsent' : 'uncertain';
  const description = kind === 'unsent' ? 'Telegram cannot be reached' : 'The connection to Telegram broke off';
  return new TelegramFailure(kind, codes.length === 0 ? description : `${description} (${codes[0]})`);
}

/** An error and those it wraps; grammY's holds what it wraps in `error`. */
function causesOf(error: unknown): unknown[] {
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

function without(token: string, text: string): string {
  return text.replaceAll(token, '…');
}

const unknownTarget =
  /chat not found|user not found|chat_id is empty|peer_id_invalid|chat_id_invalid|group chat was deactivated|message thread not found/i;

/** A failure as the caller of `send` is told it. */
export function asParleyError(failure: unknown): ParleyError {
  if (failure instanceof ParleyError) return failure;
  if (!(failure instanceof TelegramFailure)) {
    return new ParleyError('platform_failed', 'Telegram did not take the message', { cause: failure });
  }
  const { kind, code, message, retryAfter } = failure;
  if (kind === 'uncertain') {
    return new ParleyError('platform_failed', `${message}; whether the message was delivered is not known`);
  }
  if (kind === 'unsent') return new ParleyError('platform_failed', message);
  if (code === 403 || (code === 400 && unknownTarget.test(message))) {
    return new ParleyError('unknown_target', `Telegram: ${message}`);
  }
  if (code === 429) {
    const when = retryAfter === null ? {} : { retryAfterSeconds: retryAfter };
    return new ParleyError('quota', `Telegram: ${message}`, when);
  }
  return new ParleyError('platform_failed', `Telegram: ${message}`);
}

/** Whether a failed attempt may be made again: nothing can have come of it, or `harmless` says that twice is as once. */
export function mayRepeat(failure: unknown, harmless: boolean): boolean {
  if (!(failure instanceof TelegramFailure)) return false;
  if (failure.kind === 'unsent' || failure.code === 429) return true;
  return harmless && failure.kind === 'uncertain';
}
