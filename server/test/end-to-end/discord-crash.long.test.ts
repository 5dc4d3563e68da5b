import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeDiscord, startFakeDiscord } from '../../src/platforms/discord/testing/fake-discord.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { defaults, signedIn } from './api-client.ts';

/** Waits for what must come, also on a machine that has much to do. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 15_000 });

let fake: FakeDiscord;
beforeEach(async () => {
  fake = await startFakeDiscord();
});
afterEach(() => fake.close());

describe('a Discord bot whose process is killed', () => {
  let place: StoragePlace;
  const running: ServiceProcess[] = [];
  beforeEach(async () => {
    place = await makeMigratedPlace('sqlite');
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.kill('SIGKILL');
    await place.remove();
  });
  const start = async () => {
    const service = await startServiceProcess(place);
    running.push(service);
    return service;
  };

  it('completes the answer that was shown in part, in the same message', { timeout: 60_000 }, async () => {
    const first = await start();
    const api = await signedIn(first.address);
    const { pipeline } = await defaults(api);
    const adapter_config = fake.config();
    const json = { name: 'Parrot', adapter: 'discord', adapter_config, enable: true, use_pipeline_uuid: pipeline };
    await api.data('POST', '/platform/bots', json);
    await eventually(() => fake.connections().open).toBe(1);
    await fake.deliver({ text: 'Tell me something' });
    while (fake.sent().length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const shown = fake.sent()[0]?.text ?? '';
    await first.kill('SIGKILL');
    const written = fake.deliver({ text: 'Are you back?' });

    await start();
    await written;
    await eventually(() => fake.sent().length).toBe(2);
    const [answer, second] = fake.sent();
    await eventually(() => fake.sent().map(({ text }) => text)).toEqual([
      expect.stringContaining('Tell me something'),
      expect.stringContaining('Are you back?'),
    ]);
    expect(shown.length).toBeLessThan(answer?.text.length ?? 0);
    expect(second?.id).not.toBe(answer?.id);
    expect(fake.gateway.begun).toEqual({ sessions: 1, resumes: 1 });
  });
});
