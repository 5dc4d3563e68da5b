import pRetry from 'p-retry';
import type { ConnectedCallers } from '../core/accounts/connected-callers.ts';
import type { AlertEvaluator } from '../core/alerts/alert-evaluator.ts';
import type { NoticeSender } from '../core/alerts/notice-sender.ts';
import type { MessageDispatcher } from '../core/messages/message-dispatcher.ts';
import type { ExtensionChanges } from '../core/records/extension-changes.ts';
import type { WebhookDispatcher } from '../core/webhooks/webhook-dispatcher.ts';
import type { WebhookPresence } from '../core/webhooks/webhook-presence.ts';
import type { Ledger } from '../storage/messages/open-ledger.ts';
import type { Storage } from '../storage/storage.ts';
import type { ServiceState } from './http.ts';
import type { SharedParts } from './parts.ts';

interface WatchingParts {
  ledger: Pick<Ledger, 'failure'>;
  dispatcher: Pick<MessageDispatcher, 'resume'>;
  webhookDispatcher: Pick<WebhookDispatcher, 'wake'>;
  noticeSender: Pick<NoticeSender, 'wake'>;
  alertEvaluator: Pick<AlertEvaluator, 'wake'>;
  connectedCallers: Pick<ConnectedCallers, 'checkAll'>;
  extensionChanges: ExtensionChanges;
  presence: WebhookPresence;
  state: ServiceState;
  logger: SharedParts['logger'];
}

/**
 * Goes on with what waits once the storage can be used, or this replica may work again.
 * @returns resolves with a message for the operator when a fatal error requires a stop
 */
export function watchStorage({ health, replica }: Storage, parts: WatchingParts): Promise<Error> {
  const { logger, dispatcher, ledger, state } = parts;
  const failure = Promise.withResolvers<Error>();
  void ledger.failure.then((error) => {
    logger.fatal({ error }, 'messages cannot be stored any more');
    failure.resolve(error);
  });
  health.onChange((trouble) => {
    if (trouble !== null) return logger.error({ error: trouble }, 'the storage failed');
    logger.info('data can be stored again');
    dispatcher.resume();
  });
  const lookForWork = () => {
    dispatcher.resume();
    parts.webhookDispatcher.wake();
    parts.noticeSender.wake();
    parts.alertEvaluator.wake();
  };
  replica.onFenced((why) => logger.warn({ why }, 'this replica does not work until one of its beats succeeds'));
  replica.onFree(() => {
    logger.info('this replica works again');
    lookForWork();
    if (state.isReplaced) void readAgain(parts);
  });
  replica.onReplaced(() => {
    state.isReplaced = true;
    // There may be one by the time that messages are stored here again.
    parts.presence.raise();
    logger.warn({ id: replica.id }, 'others took over what this replica did: it goes on with a new id');
  });
  replica.onTakeover(() => {
    logger.warn('took over what a replica did that has ended without a stop');
    lookForWork();
  });
  replica.onTakeoverFailed((error) => logger.error({ error }, 'the work of another replica could not be taken over'));
  followOthers(replica, parts);
  return failure.promise;
}

/** Takes over what other replicas changed: each beat tells whether they did. */
function followOthers(
  replica: Storage['replica'],
  { extensionChanges, connectedCallers, state, logger }: WatchingParts,
): void {
  let access: number | null = null;
  replica.onBeat(({ replicas, versions }) => {
    extensionChanges.hasOthers = replicas.length > 0;
    if (!state.isServing || state.isReplaced) return;
    extensionChanges.follow(versions.extensions).catch((error: unknown) => {
      logger.error({ error }, 'what other replicas changed could not be read');
    });
    if (access !== versions.access) void connectedCallers.checkAll();
    access = versions.access;
  });
}

/** Reads what others may have changed while they worked, and serves requests again. */
async function readAgain({ extensionChanges, state, logger }: WatchingParts): Promise<void> {
  await pRetry(() => extensionChanges.readAgain(), {
    retries: Number.POSITIVE_INFINITY,
    maxTimeout: 5000,
    unref: true,
    shouldRetry: () => !state.isStopping,
    onFailedAttempt: ({ error }) => logger.error({ error }, 'what others changed meanwhile could not be read'),
  });
  state.isReplaced = false;
}
