import type { BotAccount, BotAddedNotice, FeedbackEvent, Logger, PlatformContext } from '@parley/sdk';
import type { SocketsElsewhere } from '@parley/sdk/internal';
import type { FetchFor, PlatformNetwork } from '../addresses/fetch-for.ts';
import type { AdapterStates } from './adapter-states.ts';
import type { BotArrivals } from './bot-arrivals.ts';
import type { AdapterContext, WantedConnection } from './bot-connection.ts';
import { proxyOf } from './bot-proxy.ts';
import type { ReplayGuard } from './replay-guard.ts';

/** What adapters use of the service. */
export interface AdapterServices {
  /** Feedback is discarded without it. */
  receiveFeedback?: (botUuid: string, event: FeedbackEvent) => Promise<void>;
  /** What every adapter may use. */
  facilities: Pick<PlatformContext, 'storeMedia' | 'readMedia'>;
  /** Takes what a bot shows to its sockets here, for those at other replicas. */
  elsewhere?: (botUuid: string) => SocketsElsewhere;
  states: Pick<AdapterStates, 'of'>;
  replayGuard: Pick<ReplayGuard, 'isFirstUse' | 'forgetUse'>;
  /** As {@link PlatformContext.webhook_secret}. */
  webhookSecret: (botUuid: string) => string;
  /** For addresses in messages. */
  fetchFor: FetchFor;
  network: PlatformNetwork;
  logger: Logger;
}

export interface BotContextsOptions extends AdapterServices {
  arrivals: BotArrivals;
  /** Null when the service has no public address. */
  webhookUrl: (botUuid: string) => string | null;
  /** As {@link PlatformContext.storedAccount}. */
  storedAccount: (botUuid: string) => BotAccount | null;
}

/** What comes with requests is not kept: the platform sends it again. */
const neverClosed = new AbortController().signal;

/** What only the replica that has connected a bot does. */
export interface ConnectedElsewhere {
  passOn: Required<PlatformContext>['passOn'];
  /** Has a chat greeted that the bot was added to. @throws ParleyError as {@link PlatformContext.passOn} */
  greet(notice: BotAddedNotice): Promise<void>;
}

/** Makes the contexts of adapters. */
export class BotContexts {
  readonly #options: BotContextsOptions;

  constructor(options: BotContextsOptions) {
    this.#options = options;
  }

  /** For an adapter that is connected. @param intakeClosed as {@link PlatformContext.intakeClosed} */
  of(uuid: string, wanted: WantedConnection, intakeClosed: AbortSignal): AdapterContext {
    const { arrivals, facilities, fetchFor, network, logger, receiveFeedback, replayGuard, states } = this.#options;
    const { platform, config, admin_addresses } = wanted;
    const { fetch, openSocket } = network(admin_addresses, proxyOf(platform, config));
    return {
      ...facilities,
      bot_uuid: uuid,
      logger,
      elsewhere: platform.sockets ? this.#options.elsewhere?.(uuid) : undefined,
      state: states.of({ bot_uuid: uuid, adapter: platform.name }),
      storedAccount: () => this.#options.storedAccount(uuid),
      receive: (event, state) => arrivals.receive(uuid, platform, event, state),
      receiveAll: (events) => arrivals.receiveAll(uuid, platform, events),
      intakeClosed,
      receiveNotice: (notice) => arrivals.receiver.receiveNotice(uuid, notice),
      receiveFeedback: async (event) => receiveFeedback?.(uuid, event),
      reportFailure: (id, failure) => arrivals.receiver.reportFailure(uuid, id, failure),
      isFirstUse: (id, expiresAt) => replayGuard.isFirstUse(uuid, id, expiresAt),
      forgetUse: (id) => replayGuard.forgetUse(uuid, id),
      fetch,
      openSocket,
      fetchContent: fetchFor([]),
      webhook_url: this.#options.webhookUrl(uuid),
      webhook_secret: this.#options.webhookSecret(uuid),
    };
  }

  /**
   * For an adapter that takes requests without being connected. What it remembers comes with requests, not with the
   * connection of the bot, so it may be written beside that.
   */
  ofReceiver(uuid: string, wanted: WantedConnection, { passOn, greet }: ConnectedElsewhere): PlatformContext {
    const context = this.of(uuid, wanted, neverClosed);
    const state = this.#options.states.of({ bot_uuid: uuid, adapter: wanted.platform.name, isShared: true });
    const unavailable = () => Promise.reject(new Error('An adapter that was not started cannot listen'));
    return {
      ...context,
      state,
      // The values first: with a message that is not stored they come again.
      receive: async (event, values) => {
        if (values !== undefined) await state.write(values);
        return context.receive(event);
      },
      receiveNotice: async (notice) => {
        if (notice.type !== 'bot_added') return context.receiveNotice(notice);
        if (welcomeTextIn(wanted.config) !== '') await greet(notice);
      },
      reportConnection: () => undefined,
      listen: unavailable,
      passOn,
    };
  }
}

/** What a bot says to a chat that it was added to; empty for nothing. */
export function welcomeTextIn({ welcome_text: text }: Record<string, unknown>): string {
  return typeof text === 'string' ? text.trim() : '';
}
