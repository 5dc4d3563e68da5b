import { DeliveryError } from '@parley/sdk';
import { rateLimited } from '../../kit/failures/rate-limited.ts';

/** Discord's error codes that change what happens next. @see https://docs.discord.com/developers/topics/opcodes-and-status-codes */
export const errorCodes = {
  unknownChannel: 10_003,
  unknownGuild: 10_004,
  unknownMessage: 10_008,
  unknownUser: 10_013,
  tooManyOldEdits: 30_046,
  tooManyDirectMessages: 40_003,
  tooLarge: 40_005,
  missingAccess: 50_001,
  emptyMessage: 50_006,
  cannotMessageUser: 50_007,
  noTextChannel: 50_008,
  missingPermission: 50_013,
  wrongChannelType: 50_024,
  invalidRecipient: 50_033,
  invalidForm: 50_035,
  noHistoryToReply: 160_002,
} as const;

const unknownTargets: readonly number[] = [
  errorCodes.unknownChannel,
  errorCodes.unknownGuild,
  errorCodes.unknownUser,
  errorCodes.missingAccess,
  errorCodes.noTextChannel,
  errorCodes.wrongChannelType,
  errorCodes.invalidRecipient,
];

/** What the operator can do about a refusal. */
const advice: Partial<Record<number, string>> = {
  [errorCodes.missingAccess]: 'Add the bot to the server, and let its role see the channel.',
  [errorCodes.cannotMessageUser]: 'The user shares no server with the bot, or does not accept its messages.',
  [errorCodes.noTextChannel]: 'A forum takes messages in its posts only: use <channel>_<post>.',
  [errorCodes.missingPermission]:
    'Give the role of the bot Send Messages, Send Messages in Threads, Attach Files and Read Message History in the channel.',
};

/** Longest text of an error, UTF-16 units. */
const longestText = 400;

/** A response of Discord that refuses a call. Its message never contains the token. */
export class DiscordRefusal extends Error {
  /** HTTP status. */
  readonly status: number;
  /** Discord's own code; 0 if none. */
  readonly code: number;
  /** Fields of the request that Discord complains about, such as `content`. */
  readonly fields: readonly string[];

  constructor(status: number, body: unknown) {
    const { code, message, errors } = (body ?? {}) as { code?: unknown; message?: unknown; errors?: unknown };
    const faults = formFaults(errors);
    const said = typeof message === 'string' ? message : `status ${status}`;
    super([said, ...faults.map(({ field, text }) => `${field}: ${text}`)].join('; ').slice(0, longestText));
    this.name = 'DiscordRefusal';
    this.status = status;
    this.code = typeof code === 'number' ? code : 0;
    this.fields = faults.map(({ field }) => field);
  }
}

/** The faults in the `errors` of code 50035, at most five. */
function formFaults(errors: unknown): { field: string; text: string }[] {
  const faults: { field: string; text: string }[] = [];
  const pending: { value: unknown; path: string[] }[] = [{ value: errors, path: [] }];
  for (let next = pending.pop(); next !== undefined && faults.length < 5; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null || path.length > 8) continue;
    for (const [name, inner] of Object.entries(value).slice(0, 20)) {
      if (name !== '_errors') pending.push({ value: inner, path: [...path, name] });
      else if (Array.isArray(inner)) {
        const { message } = (inner[0] ?? {}) as { message?: unknown };
        faults.push({ field: path.join('.') || 'body', text: String(message ?? 'is invalid') });
      }
    }
  }
  return faults;
}

/** Whether Discord refused a call with one of these codes. */
export function isRefusal(error: unknown, ...codes: readonly number[]): error is DiscordRefusal {
  return error instanceof DiscordRefusal && (codes.length === 0 || codes.includes(error.code));
}

/** A failed call as a delivery error for the caller of `send`. */
export function asDeliveryError(error: unknown): DeliveryError {
  if (!(error instanceof DiscordRefusal)) return DeliveryError.from(error, 'Sending to Discord failed');
  const { status, code, message } = error;
  const text = [`Discord: ${message}`, advice[code]].filter((part) => part !== undefined).join('. ');
  if (status === 401) return new DeliveryError('refused', 'platform_unauthorized', text);
  if (code === errorCodes.tooManyDirectMessages) return rateLimited(text, { pauseMs: null, scope: 'chat' });
  if (code === errorCodes.cannotMessageUser) return new DeliveryError('refused', 'blocked', text);
  if (unknownTargets.includes(code)) return new DeliveryError('refused', 'unknown_target', text);
  if (code === errorCodes.tooLarge || code === errorCodes.emptyMessage || status === 413) {
    return new DeliveryError('refused', 'unsupported_element', text);
  }
  return new DeliveryError('refused', 'platform_failed', text);
}
