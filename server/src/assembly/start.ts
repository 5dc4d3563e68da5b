import type { SetUp } from '../core/accounts/first-account.ts';
import { prepareFirstStart } from '../core/installation/first-start.ts';
import { prepareInternalBots } from '../core/installation/internal-bots.ts';
import { connectionNeed } from '../storage/connection-budget.ts';
import { livingReplicas } from '../storage/replicas/replica-rows.ts';
import type { Storage } from '../storage/storage.ts';
import type { Components } from './components.ts';
import { listen, reachable } from './listen.ts';

/**
 * Starts processing and listens, once the replica may work.
 * @param stopped ends the wait for that
 * @throws AbortError when it was stopped while it waited
 */
export async function start(
  { database, replica, connections }: Storage,
  parts: Components,
  stopped: AbortSignal,
): Promise<{ address: string; setUp: SetUp | null }> {
  const { config, logger, state, botStore, extensions, dispatcher } = parts;
  await replica.whenFree(stopped);
  await parts.showSettings();
  if (connections !== null) {
    const { size } = await livingReplicas(database);
    const need = connectionNeed(connections, size);
    if (need.needed > need.available) {
      const fields = Object.assign({ replicas: size }, need);
      logger.warn(fields, 'all replicas together may need more connections than the database has');
    }
  }
  await parts.peers.open();
  // So that others are known when they are to be told.
  replica.hurry();
  const platforms = extensions.platforms.list();
  await prepareFirstStart({
    ...parts,
    languageModels: parts.models.llm,
    bots: botStore,
    requesters: extensions.modelRequesters.list(),
    platforms,
  });
  await prepareInternalBots(botStore, platforms);
  await parts.tasks.open();
  await parts.tools.recover();
  await parts.idempotency.open();
  await parts.knowledge.start();
  await dispatcher.recover();
  // What an earlier process left here is free: others may take it before this one has started.
  parts.dueNotices.changed();
  await parts.mcpRuntime.refresh();
  await parts.activePlugins.open();
  await parts.webhooks.open();
  // Before bots connect: a process that cannot listen must not take messages. Requests wait until they have.
  state.isStarting = true;
  const address = await listen(parts.server, config);
  state.address = address;
  const setUp = await parts.firstAccount.open(config.publicUrl ?? reachable(address) + config.basePath);
  if (config.setupWithoutToken) logger.warn('programs on this machine may make the first account without the token');
  await parts.runtime.start();
  dispatcher.start();
  await parts.webhookDispatcher.start();
  await parts.noticeSender.start();
  parts.alertEvaluator.start();
  parts.pluginSchedules.start();
  state.isStarting = false;
  state.isServing = true;
  parts.housekeeping.start();
  parts.rollupKeeper.start();
  parts.activePlugins.checkFiles().catch((error: unknown) => {
    logger.error({ error }, 'the files of plugins could not be checked');
  });
  return { address, setUp };
}
