import type { FakeChat, FakePlatform } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../factories/eventually.ts';
import { fakedPlatforms } from '../factories/faked-platforms.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { defaults, signedIn } from './api-client.ts';

/**
 * Platforms on which a message is recognized, or found, whose sending was not confirmed. On others, the start of an answer
 * remains whose process ended right after it was shown: `npm run bench -- faults` kills them.
 */
const recognizing = Object.entries(fakedPlatforms).filter(
  ([, { streams, platform, isContinued = platform.capabilities.idempotent_sends }]) => streams && isContinued,
);

describe.each(recognizing)('a bot of %s whose process is killed', (adapter, { start: startFake, platform }) => {
  let fake: FakePlatform;
  let place: StoragePlace;
  const running: ServiceProcess[] = [];
  beforeEach(async () => {
    fake = await startFake();
    place = await makeMigratedPlace('sqlite');
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.kill('SIGKILL');
    await place.remove();
    await fake.close();
  });
  const start = async () => {
    const service = await startServiceProcess(place);
    running.push(service);
    return service;
  };

  /** Kills the process after the first text in a chat; the next one has to complete the answer in the same message. */
  async function isKilled(chat: FakeChat): Promise<void> {
    const first = await start();
    const api = await signedIn(first.address);
    const { pipeline } = await defaults(api);
    const adapter_config = fake.config();
    const json = { name: 'Parrot', adapter, adapter_config, enable: true, use_pipeline_uuid: pipeline };
    const { uuid } = await api.data('POST', '/platform/bots', json);
    await eventually(
      async () => (await api.data('GET', `/platform/bots/${uuid}`)).bot.adapter_runtime_values.state,
    ).toBe('running');
    await fake.deliver({ chat, mention: 'account', text: 'Tell me something' });
    while (fake.sent().length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const shown = fake.sent()[0]?.text ?? '';
    await first.kill('SIGKILL');
    const written = fake.deliver({ chat, mention: 'account', text: 'Are you back?' });

    await start();
    await written;
    await eventually(() => fake.sent().map(({ text, isUnfinished }) => [text, isUnfinished])).toEqual([
      [expect.stringContaining('Tell me something'), false],
      [expect.stringContaining('Are you back?'), false],
    ]);
    const [answer] = fake.sent();
    expect(shown.length).toBeLessThan(answer?.text.length ?? 0);
  }

  it('completes the answer that was shown in part, in the same message', { timeout: 60_000 }, () =>
    isKilled(fake.person()),
  );

  it('completes it when it had no response to the first text', { timeout: 60_000 }, async () => {
    fake.fail('send', 'silence');
    await isKilled(fake.person());
  });

  it.runIf(platform.capabilities.thread_streams)('completes it in a thread', { timeout: 60_000 }, async () => {
    await isKilled(fake.thread() as FakeChat);
  });
});
