import { setTimeout as delay } from 'node:timers/promises';
import type { FakePlatform } from '@parley/sdk/testing';
import { type Caller, caller, signIn } from './program.ts';

/** A bot, and the platform that it talks to. */
export interface FakedBot {
  uuid: string;
  fake: FakePlatform;
}

/** Longest wait for something that must come, milliseconds. */
export const patience = 60_000;

/** The API of a service with the account of the benchmark. */
export async function apiOf({ address }: { address: string }): Promise<Caller> {
  return caller(address, { authorization: `Bearer ${await signIn(address)}` });
}

/** Creates an enabled bot on a fake, with the first pipeline. Answers are sent whole. */
export async function createBot<Fake extends Pick<FakePlatform, 'config' | 'enterAddress'>>(
  api: Caller,
  { name, adapter, fake, address }: { name: string; adapter: string; fake: Fake; address: string },
): Promise<{ uuid: string; fake: Fake }> {
  const { pipelines } = await api.call('GET', '/api/v1/pipelines');
  const config = fake.config();
  const { uuid } = await api.call('POST', '/api/v1/platform/bots', {
    name,
    adapter,
    adapter_config: { ...config, ...('enable-stream-reply' in config ? { 'enable-stream-reply': false } : {}) },
    enable: true,
    use_pipeline_uuid: pipelines[0].uuid,
  });
  fake.enterAddress({ url: `${address}/bots/${uuid}` });
  return { uuid, fake };
}

interface ListedBot {
  name: string;
  adapter_runtime_values: { state: string; message?: string } | null;
}

/** Waits until all bots are connected. @throws Error when one is not in time */
export async function allRunning(api: Caller, made: readonly Pick<FakedBot, 'uuid'>[]): Promise<void> {
  const waiting = new Set(made.map(({ uuid }) => uuid));
  for (const end = performance.now() + patience; waiting.size > 0; ) {
    const { bots: listed } = await api.call('GET', '/api/v1/platform/bots');
    if (performance.now() > end) {
      const late = listed.filter(({ uuid }: { uuid: string }) => waiting.has(uuid));
      const states = late.map(({ name, adapter_runtime_values: values }: ListedBot) => `${name} (${values?.state})`);
      throw new Error(`Bots that were not connected in time: ${states.join(', ')}`);
    }
    for (const { uuid, adapter_runtime_values: values } of listed)
      if (values?.state === 'running') waiting.delete(uuid);
    if (waiting.size > 0) await delay(20);
  }
}

/** Closes the fakes of bots. */
export async function closeFakes(made: readonly FakedBot[]): Promise<void> {
  await Promise.all(made.map(({ fake }) => fake.close().catch(() => undefined)));
}
