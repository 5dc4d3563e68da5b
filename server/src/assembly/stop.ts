import type { Storage } from '../storage/storage.ts';
import type { Components } from './components.ts';

/** How long a stop waits for notices of alerts that are being sent. */
const noticeTimeoutMs = 3000;

/** How long a stop waits for tasks that it asked to end. */
const taskTimeoutMs = 5000;

/** Refuses new work, waits for what runs, closes everything. */
export async function stop(storage: Storage, parts: Components): Promise<void> {
  const { config, state, server } = parts;
  state.isServing = false;
  parts.intake.close();
  parts.notices.close();
  parts.logins.close();
  // What another replica does now is not waited for.
  const patience = storage.replica.mayWork ? config.shutdownTimeoutSeconds * 1000 : 0;
  const deadline = Date.now() + patience;
  await parts.alertEvaluator.stop();
  await Promise.all([
    parts.dispatcher.stop(patience),
    parts.webhookDispatcher.stop(patience),
    parts.noticeSender.stop(Math.min(patience, noticeTimeoutMs)),
    parts.pluginSchedules.stop(),
  ]);
  await parts.runtime.stop();
  parts.holds.close();
  await parts.knowledge.stop();
  await parts.tasks.stop(taskTimeoutMs);
  await parts.mcpRuntime.stop();
  await parts.activePlugins.stop();
  await parts.processes.stop();
  await parts.schemaHost.close();
  const impatience = setTimeout(() => server.server.closeAllConnections(), Math.max(1000, deadline - Date.now()));
  await server.close();
  clearTimeout(impatience);
  state.address = null;
  await parts.receivers.close();
  // Without the database, what was taken may come again.
  await parts.replayGuard.stop().catch(() => undefined);
  await parts.housekeeping.stop();
  await parts.rollupKeeper.stop();
  await parts.botEvents.stop();
  await parts.peers.close();
  parts.firstAccount.close();
  await storage.close();
}
