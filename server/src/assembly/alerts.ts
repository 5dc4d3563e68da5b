import type { BotConnectionState } from '../core/alerts/alert-conditions.ts';
import { AlertEvaluator } from '../core/alerts/alert-evaluator.ts';
import type { ReferenceReader } from '../core/alerts/alert-references.ts';
import { AlertService, targetContext } from '../core/alerts/alert-service.ts';
import { NoticeSender } from '../core/alerts/notice-sender.ts';
import type { MessageSender } from '../core/messages/message-sender.ts';
import type { MonitoringReader } from '../core/monitoring/monitoring-reader.ts';
import { Duty } from '../core/replicas/duty.ts';
import { openSecrets } from '../core/secrets/secret-fields.ts';
import { WebhookSender } from '../core/webhooks/webhook-sender.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import { createMailer } from '../kit/send-mail.ts';
import { KyselyAlertFigures } from '../storage/alerts/kysely-alert-figures.ts';
import { KyselyAlertStore } from '../storage/alerts/kysely-alert-store.ts';
import { takingOver } from '../storage/replicas/replica.ts';
import type { Storage } from '../storage/storage.ts';
import type { createBots } from './bots.ts';
import type { Created, SharedParts } from './parts.ts';

type AlertParts = SharedParts &
  Pick<Created<typeof createBots>, 'runtime'> & {
    monitoringReader: MonitoringReader;
    messages: MessageSender;
    /** Times that tests shorten. */
    timing?: { intervalMs: number; retryDelayMs: number } | undefined;
  };

/** Alerts: their rules, what evaluates them, and what sends notices. */
export function createAlerts({ database, engine, replica }: Storage, parts: AlertParts) {
  const { botStore, runtime, secrets, logger, messages, monitoringReader, timing } = parts;
  const store = takingOver(replica, new KyselyAlertStore(database, engine, replica));
  const figures = new KyselyAlertFigures(database);
  const isOwner = () => replica.mayWork;
  const external = async () => {
    const internal = runtime.configs.internalPlatforms();
    return (await botStore.list()).filter(({ adapter }) => !internal.includes(adapter));
  };
  const references: ReferenceReader = {
    bots: async () => new Set((await external()).map(({ uuid }) => uuid)),
    targets: async () => new Set((await store.targets()).map(({ uuid }) => uuid)),
    existing: (of, uuids) => figures.existing(of, uuids),
  };
  const noticeSender = new NoticeSender(store, {
    sendMail: createMailer({ policy: 'saved' }),
    webhooks: new WebhookSender({ fetch: createGuardedFetch({ policy: 'saved' }) }),
    sendToChat: (botUuid, type, targetId, chain) => messages.send(botUuid, type, targetId, chain),
    openSecrets: ({ uuid, sealed_secrets }) => openSecrets(secrets, sealed_secrets, targetContext(uuid)),
    isOwner,
    logger,
    ...(timing && { retryDelayMs: timing.retryDelayMs }),
  });
  const alertEvaluator = new AlertEvaluator(store, {
    figures,
    monitoring: monitoringReader,
    enabledBots: async () =>
      (await external())
        .filter(({ enable }) => enable)
        .map(({ uuid, name }) => ({ uuid, name, isConnected: isConnected(runtime.status(uuid).state) })),
    references,
    duty: new Duty(replica.leases, 'alerts'),
    noticesDue: () => noticeSender.wake(),
    logger,
    ...(timing && { intervalMs: timing.intervalMs }),
  });
  const alerts = new AlertService(store, { secrets, references, evaluator: alertEvaluator, sender: noticeSender });
  return { alerts, alertEvaluator, noticeSender };
}

/**
 * A first attempt to connect tells nothing: after a restart, every bot makes one. An enabled bot that is stopped is about to
 * be started, or its record is about to be disabled.
 */
function isConnected(state: ReturnType<AlertParts['runtime']['status']>['state']): BotConnectionState['isConnected'] {
  if (state === 'starting' || state === 'stopped') return null;
  return state === 'running';
}
