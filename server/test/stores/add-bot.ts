import type { NewBot } from '../../src/core/bots/bot.ts';
import { now } from '../../src/lib/clock.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { KyselyBotStore } from '../../src/storage/bots/kysely-bot-store.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** Stores an enabled bot of the fake platform. @returns its uuid */
export async function addBot({ database, engine }: Storage, over: Partial<NewBot> = {}): Promise<string> {
  const uuid = newUuid();
  const refusal = await new KyselyBotStore(database, engine).create({
    uuid,
    name: 'Bot',
    description: '',
    adapter: 'fake',
    adapter_config: {},
    sealed_secrets: null,
    enable: true,
    use_pipeline_uuid: null,
    created_at: now(),
    updated_at: now(),
    ...over,
  });
  if (refusal !== null) throw new Error(`The bot was refused: ${JSON.stringify(refusal)}`);
  return uuid;
}
