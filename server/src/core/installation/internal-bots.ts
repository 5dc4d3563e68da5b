import type { InternalPlatform } from '@parley/sdk/internal';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { BotStore } from '../bots/bot-store.ts';

/** Creates the one internal bot of each platform that has one, where it is missing. */
export async function prepareInternalBots(bots: BotStore, platforms: readonly InternalPlatform[]): Promise<void> {
  const existing = new Set((await bots.list()).map(({ adapter }) => adapter));
  for (const { name, label, description, internal } of platforms) {
    if (internal !== true || existing.has(name)) continue;
    await bots.create({
      uuid: newUuid(),
      name: label.en_US,
      description: description.en_US,
      adapter: name,
      adapter_config: {},
      sealed_secrets: null,
      enable: true,
      use_pipeline_uuid: null,
      created_at: now(),
      updated_at: now(),
    });
  }
}
