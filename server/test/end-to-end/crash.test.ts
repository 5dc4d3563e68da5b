import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { enginesTried, looksClosely } from '../shared/looks-closely.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';
import {
  type ApiAnswer,
  type ApiClient,
  apiClient,
  apiKey,
  defaults,
  type Frame,
  openChat,
  signedIn,
} from './api-client.ts';

/** A kind of write, and how to tell that one that was acknowledged is there. */
interface Write {
  write(api: ApiClient, index: number): Promise<ApiAnswer>;
  verify(api: ApiClient, index: number, data: ApiAnswer['body'], place: StoragePlace): Promise<void>;
}

const writes: Write[] = [
  {
    write: (api, index) => api.call('POST', '/pipelines', { name: `pipeline ${index}` }),
    verify: async (api, index, { uuid }) => {
      const { pipeline } = await api.data('GET', `/pipelines/${uuid}`);
      expect(pipeline).toMatchObject({ uuid, name: `pipeline ${index}`, is_default: false });
    },
  },
  {
    write: (api, index) =>
      api.call('POST', '/provider/providers', {
        name: `provider ${index}`,
        requester: 'openai-chat-completions',
        base_url: `http://127.0.0.1:${1000 + index}/v1`,
        api_keys: [`sk-0123456789abcdef-${index}`],
      }),
    verify: async (api, index, { uuid }) => {
      const { provider } = await api.data('GET', `/provider/providers/${uuid}`);
      expect(provider).toMatchObject({ name: `provider ${index}`, base_url: `http://127.0.0.1:${1000 + index}/v1` });
      expect(provider.api_keys).toEqual([expect.stringMatching(/^sk-….{4}$/)]);
    },
  },
  {
    write: (api, index) => api.call('POST', '/apikeys', { name: `key ${index}` }),
    verify: async (api, _, { key }) => {
      expect(await apiClient(api.address, key.key).call('GET', '/pipelines')).toMatchObject({ status: 200 });
    },
  },
  {
    write: (api, index) => api.upload(`${index}.txt`, `content of ${index} `.repeat(1000)),
    verify: async (_, index, { file_id }, { dataDir }) => {
      const path = join(dataDir, 'files', file_id.slice(-2), file_id);
      expect(readFileSync(path, 'utf8')).toBe(`content of ${index} `.repeat(1000));
    },
  },
];

describe.each(enginesTried)('on %s, after kill -9', (engine) => {
  let place: StoragePlace;
  const running: ServiceProcess[] = [];
  beforeEach(async () => {
    place = await makeMigratedPlace(engine);
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

  it.runIf(looksClosely)('every write that was acknowledged is there', { timeout: 60_000 }, async () => {
    const first = await start();
    const api = await signedIn(first.address);
    const { pipeline, bot } = await defaults(api);
    const { key: reader } = await api.data('POST', '/apikeys', { name: 'reader' });
    const messages: Write = {
      write: (client, index) =>
        client.call('POST', `/platform/bots/${bot}/send_message`, {
          target_type: 'person',
          target_id: `api-key-${reader.id}`,
          message_chain: [{ type: 'Plain', text: `message ${index}` }],
        }),
      verify: async (client, index) => {
        const known = await apiClient(client.address, reader.key).data(
          'GET',
          `/pipelines/${pipeline}/ws/messages/person`,
        );
        const texts = known.messages.map(({ content }: { content: string }) => content);
        expect(texts.filter((text: string) => text === `message ${index}`)).toHaveLength(1);
      },
    };
    const kinds = [...writes, messages];
    const kindOf = (index: number) => kinds[index % kinds.length] as Write;
    const acknowledged = new Map<number, ApiAnswer>();
    const enough = Promise.withResolvers<void>();
    const all = Array.from({ length: 200 }, async (_, index) => {
      const answer = await kindOf(index)
        .write(api, index)
        .catch(() => null);
      if (answer?.status === 200) acknowledged.set(index, answer);
      const done = [...acknowledged.keys()];
      if (kinds.every((kind) => done.filter((other) => kindOf(other) === kind).length >= 5)) enough.resolve();
    });
    await enough.promise;
    await first.kill('SIGKILL');
    await Promise.all(all);
    expect(acknowledged.size).toBeLessThan(200);

    const second = await start();
    const again = await signedIn(second.address);
    for (const [index, { body }] of acknowledged) await kindOf(index).verify(again, index, body.data, place);
    // Unacknowledged messages left no partial rows.
    expect(readdirSync(join(place.dataDir, 'files')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('every message that was accepted is answered once', { timeout: 60_000 }, async () => {
    const first = await start();
    const api = await signedIn(first.address);
    const { pipeline } = await defaults(api);
    const keys = await Promise.all(Array.from({ length: 8 }, () => apiKey(api)));
    const chats = await Promise.all(
      keys.map((key) => openChat(first.address, { pipeline, headers: { authorization: `Bearer ${key}` } })),
    );
    for (const chat of chats) for (const text of ['one', 'two', 'three']) chat.say(text);
    // Some have their first answer, and the second is on its way.
    await Promise.all(
      chats.map((chat) => chat.frame(({ type, data }) => type === 'response' && !data.is_final && data.id > 4)),
    );
    await first.kill('SIGKILL');
    const accepted = chats.map(({ frames }) =>
      frames.filter(({ type }) => type === 'user_message').map(({ data }) => data.content),
    );
    expect(accepted).toEqual(keys.map(() => ['one', 'two', 'three']));

    const second = await start();
    for (const key of keys) {
      const conversation = async (): Promise<Frame[]> =>
        (await apiClient(second.address, key).data('GET', `/pipelines/${pipeline}/ws/messages/person`)).messages;
      await expect.poll(async () => (await conversation()).length, { timeout: 15_000 }).toBe(6);
      const answers = (await conversation()).filter(({ role }) => role === 'assistant');
      expect(answers.map(({ content }) => /> (\w+)$/.exec(content)?.[1])).toEqual(['one', 'two', 'three']);
      expect((await conversation()).map(({ is_final }) => is_final)).not.toContain(false);
    }
  });
});
