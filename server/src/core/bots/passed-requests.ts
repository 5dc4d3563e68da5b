import { randomUUID } from 'node:crypto';
import { type BotAddedNotice, ParleyError, type WebhookRequest, type WebhookResponse } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import type { BotHolders } from '../replicas/bot-holders.ts';
import type { CallHandlers } from '../replicas/peer-calls.ts';

export interface PassedRequestsOptions {
  holders: Pick<BotHolders, 'other' | 'call'>;
  callHandlers: Pick<CallHandlers, 'add'>;
  /** Handles a request with the adapter that is connected here. @throws ParleyError `bot_not_running` */
  handleHere: (botUuid: string, request: WebhookRequest) => Promise<WebhookResponse>;
}

const texts = Type.Record(Type.String(), Type.String());
const passedRequest = Type.Object({
  bot_uuid: Type.String(),
  method: Type.Enum(['GET', 'POST']),
  path: Type.String(),
  query: texts,
  headers: texts,
  /** Base64. */
  body: Type.String(),
});
type PassedRequest = Static<typeof passedRequest>;

/** A chat that a bot was added to, which greets there. */
export const passedNotice = Type.Object({
  bot_uuid: Type.String(),
  notice: Type.Object({
    type: Type.Literal('bot_added'),
    platform_event_id: Type.String(),
    session_type: Type.Enum(['person', 'group']),
    session_id: Type.String(),
    thread_id: Type.Optional(Type.String()),
    reply_context: Type.Optional(
      Type.Object({
        value: Type.Unknown(),
        expires_at: Type.Optional(Type.String()),
        uses: Type.Optional(Type.Integer()),
      }),
    ),
  }),
});
export type PassedNotice = Static<typeof passedNotice>;

/** The response of the other replica. */
interface PassedResponse extends Omit<WebhookResponse, 'onWritten'> {
  /** Under which it wants to know whether the response was written; null if it does not. */
  notice: string | null;
}

const writtenNotice = Type.Object({ notice: Type.String(), was_written: Type.Boolean() });
type WrittenNotice = Static<typeof writtenNotice>;

/** After this time without a notice, whether a response was written is taken as unknown, milliseconds. */
const noticeMs = 5000;

/**
 * Requests of platforms that need what the connected adapter of a bot remembers, and reached another replica: they hop to
 * the one that has it. Calls between replicas are not encrypted, so such requests must not carry secrets.
 */
export class PassedRequests {
  readonly #options: PassedRequestsOptions;
  /** Responses that are being written elsewhere. */
  readonly #unwritten = new Map<string, (wasWritten: boolean) => void>();

  constructor(options: PassedRequestsOptions) {
    this.#options = options;
    const { callHandlers } = options;
    callHandlers.add<PassedRequest>('webhook', passedRequest, async ({ bot_uuid, body, ...request }) =>
      this.#handle(bot_uuid, { ...request, body: Buffer.from(body, 'base64'), is_passed_on: true }),
    );
    callHandlers.add<WrittenNotice>('webhook_written', writtenNotice, async ({ notice, was_written }) => {
      this.#unwritten.get(notice)?.(was_written);
    });
  }

  /** @throws ParleyError as {@link PlatformContext.passOn} */
  async passOn(bot_uuid: string, { method, path, query, headers, body }: WebhookRequest): Promise<WebhookResponse> {
    const { holders } = this.#options;
    const other = this.#other(bot_uuid);
    const payload: PassedRequest = {
      bot_uuid,
      method,
      path,
      query,
      headers,
      body: Buffer.from(body).toString('base64'),
    };
    // Its replica made it.
    const { notice, ...response } = (await holders.call(other, 'webhook', payload)) as PassedResponse;
    if (notice === null) return response;
    const onWritten = (was_written: boolean) => {
      // Without it, the other replica does not know.
      void holders.call(other, 'webhook_written', { notice, was_written }).catch(() => undefined);
    };
    return { ...response, onWritten };
  }

  /** Has a chat greeted that a bot was added to. @throws ParleyError as {@link passOn} */
  async greet(bot_uuid: string, notice: BotAddedNotice): Promise<void> {
    await this.#options.holders.call(this.#other(bot_uuid), 'bot_added', { bot_uuid, notice });
  }

  #other(botUuid: string): string {
    const other = this.#options.holders.other(botUuid);
    if (other === null) throw new ParleyError('bot_not_running', 'No other replica has connected the bot');
    return other;
  }

  async #handle(botUuid: string, request: WebhookRequest): Promise<PassedResponse> {
    const response = await this.#options.handleHere(botUuid, request);
    const { onWritten, ...written } = response;
    if (onWritten === undefined) return { ...written, notice: null };
    const notice = randomUUID();
    const told = (wasWritten: boolean) => {
      clearTimeout(late);
      this.#unwritten.delete(notice);
      onWritten.call(response, wasWritten);
    };
    const late = setTimeout(() => told(false), noticeMs).unref();
    this.#unwritten.set(notice, told);
    return { ...written, notice };
  }
}
