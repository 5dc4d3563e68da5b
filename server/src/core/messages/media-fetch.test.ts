import {
  type MediaReference,
  type MessageChain,
  type MessageElement,
  type MessageEvent,
  ParleyError,
  type PlatformAdapter,
  type RunnerRequest,
} from '@parley/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { openProcessorFixture, type ProcessorFixture, processed } from '../../../test/stores/processor-fixture.ts';

type Fetch = NonNullable<PlatformAdapter['fetchMedia']>;

const image = { type: 'Image', image_id: 'photo-1' } as const;
const reference: MediaReference = { id: 'photo-1', name: 'photo.png', value: { code: 'a download code' } };

describe('content that a platform holds', () => {
  const open: ProcessorFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });

  const set = async (fetchMedia: Fetch | undefined) => {
    const platform = recordingPlatform({ streams: {} });
    const { create } = platform.implementation;
    platform.implementation.create = (config, context) =>
      Object.assign(create(config, context), fetchMedia === undefined ? {} : { fetchMedia });
    const fixture = await openProcessorFixture({ says: [{ type: 'text', text: 'I see' }], platform });
    open.push(fixture);
    return fixture;
  };
  const asked = async (
    used: ProcessorFixture,
    message_chain: MessageChain = [{ type: 'Plain', text: 'Look' }, image],
    media: MessageEvent['media'] = [reference],
  ) => {
    const message = await used.received('', {}, { message_chain, media });
    return { message, ...(await processed(used, message)) };
  };
  const seen = ({ requests }: ProcessorFixture): MessageChain => (requests[0] as RunnerRequest).message.message_chain;
  async function* content(text = 'pixels') {
    yield Buffer.from(text);
  }
  const references = ({ storage }: ProcessorFixture) =>
    storage.database.selectFrom('media_references').selectAll().execute();

  it('is fetched before the runner is asked, and stored with the message', async () => {
    const values: unknown[] = [];
    const used = await set(async (value) => {
      values.push(value);
      const [row] = await references(used);
      expect(row?.sealed_value).not.toContain('download');
      return content();
    });
    const { question } = await asked(used);
    expect(values).toEqual([reference.value]);
    const fetched = [
      { type: 'Plain', text: 'Look' },
      { ...image, path: 'media-1', url: null },
    ];
    expect(seen(used)).toEqual(fetched);
    expect(question).toMatchObject({ state: 'answered', message_chain: fetched });
    expect(await references(used)).toEqual([]);
  });

  it('is fetched for each file, in quotes and forwards, too', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const used = await set(async (value) => content(String(value)));
    const quoted: MessageElement = { type: 'Image', image_id: 'a' };
    const forwarded: MessageElement = { type: 'Voice', voice_id: 'b' };
    await asked(
      used,
      [
        { type: 'Quote', origin: [quoted] },
        { type: 'Forward', node_list: [{ message_chain: [forwarded] }, { sender_name: 'Ada' }] },
        { type: 'File', id: 'c', name: 'notes.txt' },
        { type: 'File', id: 'd', name: 'gone.txt', url: 'https://example.com/gone.txt' },
      ],
      ids.map((id) => ({ id, name: id, value: id })),
    );
    const chain = seen(used);
    expect(chain).toMatchObject([
      { origin: [{ image_id: 'a', path: expect.any(String) }] },
      { node_list: [{ message_chain: [{ voice_id: 'b', path: expect.any(String) }] }, { sender_name: 'Ada' }] },
      { id: 'c', path: expect.any(String), size: 1 },
      { id: 'd', url: 'https://example.com/gone.txt' },
    ]);
    expect(chain[3]).not.toHaveProperty('path');
  });

  it('is tried again after a failure that may pass', async () => {
    let attempts = 0;
    const used = await set(async () => {
      attempts += 1;
      if (attempts < 3) throw attempts === 1 ? new TypeError('fetch failed') : new Error('HTTP 502');
      return content();
    });
    await asked(used);
    expect(attempts).toBe(3);
    expect(seen(used)[1]).toMatchObject({ path: 'media-1' });
  });

  it.each(['not_found', 'too_large', 'empty_file', 'address_not_allowed'] as const)(
    'is given up at once when it is %s, and the message says so',
    async (reason) => {
      let attempts = 0;
      const used = await set(() => {
        attempts += 1;
        return Promise.reject(new ParleyError(reason, 'No'));
      });
      const { question } = await asked(
        used,
        [image, { type: 'File', id: 'f', name: 'a.pdf' }],
        [reference, { id: 'f', name: 'a.pdf', value: 1 }],
      );
      expect(attempts).toBe(2);
      expect(seen(used)).toEqual([
        { type: 'Unknown', text: '[Image: not available]' },
        { type: 'Unknown', text: '[File a.pdf: not available]' },
      ]);
      expect(question).toMatchObject({ state: 'answered' });
      expect(await references(used)).toEqual([]);
    },
  );

  it('is given up after several failures, and when the stream of its content ends early', async () => {
    const used = await set(async () =>
      (async function* () {
        yield Buffer.from('half');
        throw new Error('The connection was closed');
      })(),
    );
    await asked(used);
    expect(seen(used)[1]).toEqual({ type: 'Unknown', text: '[Image: not available]' });
  });

  it('is left to another attempt when the service stops', async () => {
    const stopping = new AbortController();
    const used = await set((_, signal) => {
      stopping.abort(new Error('The service stops'));
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const message = await used.received('', {}, { message_chain: [image], media: [reference] });
    await expect(used.processor.process(message, stopping.signal)).rejects.toThrow('The service stops');
    expect(used.requests).toEqual([]);
    expect(await references(used)).toHaveLength(1);
  });

  it('is fetched once for webhooks and the pipeline, and goes on while one of them waits', async () => {
    const gate = Promise.withResolvers<void>();
    let attempts = 0;
    const used = await set(async () => {
      attempts += 1;
      await gate.promise;
      return content();
    });
    const message = await used.received('', {}, { message_chain: [image], media: [reference] });
    const leaving = new AbortController();
    const bot = used.runtime.running(used.botUuid);
    const [left, stayed] = [leaving.signal, AbortSignal.timeout(60_000)].map((signal) =>
      used.mediaFetch.complete(message, bot, signal),
    );
    await expect.poll(() => attempts).toBe(1);
    leaving.abort(new Error('No longer needed'));
    await expect(left).rejects.toThrow('No longer needed');
    gate.resolve();
    expect((await stayed)?.message_chain).toEqual([{ ...image, path: 'media-1', url: null }]);
    expect(attempts).toBe(1);
  });

  it('is not looked for in messages without any, and left where the platform provides none', async () => {
    const fetched: unknown[] = [];
    const used = await set(async (value) => {
      fetched.push(value);
      return content();
    });
    await asked(used, [{ type: 'Plain', text: 'Hello' }], []);
    await asked(used, [image], []);
    expect(fetched).toEqual([]);
    const without = await set(undefined);
    expect((await asked(without)).question).toMatchObject({ state: 'answered' });
    expect(seen(without)[1]).toEqual(image);
  });
});
