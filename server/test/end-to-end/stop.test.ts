import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { startFakeOpenAi } from '../fakes/openai-server.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { type ApiClient, defaults, type Frame, openChat, signedIn } from './api-client.ts';

describe('a stopping service', () => {
  let place: StoragePlace;
  const running: ServiceProcess[] = [];
  beforeEach(async () => {
    place = await makeMigratedPlace('sqlite');
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.kill('SIGKILL');
    await place.remove();
  });
  const start = async (environment: Record<string, string> = {}) => {
    const service = await startServiceProcess({ ...place, environment });
    running.push(service);
    const api = await signedIn(service.address);
    const { pipeline } = await defaults(api);
    const chat = () => openChat(service.address, { pipeline, headers: { authorization: `Bearer ${api.token}` } });
    return { service, api, pipeline, chat };
  };
  const messagesOf = async (api: ApiClient, pipeline: string): Promise<Frame[]> =>
    (await api.data('GET', `/pipelines/${pipeline}/ws/messages/person`)).messages;

  const signals = looksClosely ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const);

  it.each(signals)('by %s finishes what it answers and takes nothing new', async (signal) => {
    const { service, chat: open } = await start();
    const chat = await open();
    chat.say('Let me finish');
    await chat.frame(({ type }) => type === 'response');
    service.signal(signal);
    // A signal arrives with a delay; from then on messages are rejected.
    const refusal = chat.frame(({ type }) => type === 'error');
    for (let index = 0; !chat.frames.some(({ type }) => type === 'error'); index += 1) {
      chat.say(`Number ${index}`);
      await Promise.race([refusal, chat.frame(({ data }) => data?.content === `Number ${index}`)]);
    }
    expect(await refusal).toMatchObject({ reason: 'not_ready' });
    await chat.answer('> Let me finish');
    expect(await chat.closed).toBe(1012);
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    await expect(fetch(service.address)).rejects.toThrow();
  });

  it.runIf(looksClosely)('hands back an answer that takes too long, and gives it after the next start', async () => {
    const model = await startFakeOpenAi({ kind: 'stall', chunks: ['Well, '] });
    const { service, api, pipeline, chat: open } = await start({ PARLEY_SHUTDOWN_TIMEOUT_SECONDS: '1' });
    await api.data('POST', '/provider/models/llm', {
      name: 'large',
      provider: { requester: 'openai-chat-completions', base_url: model.base_url },
    });
    const chat = await open();
    chat.say('Take your time');
    await chat.frame(({ type }) => type === 'response');
    expect(await service.stop()).toMatchObject({ code: 0 });
    model.behave({ kind: 'answer', chunks: ['Here it is.'] });
    const next = await start();
    await expect.poll(async () => (await messagesOf(next.api, pipeline)).length).toBe(2);
    expect((await messagesOf(next.api, pipeline)).map(({ content }) => content)).toEqual([
      'Take your time',
      'Here it is.',
    ]);
    await model.close();
  });

  it.runIf(looksClosely)('is not delayed by a browser that no longer reads', async () => {
    const { service, chat: open } = await start({ PARLEY_SHUTDOWN_TIMEOUT_SECONDS: '1' });
    const chat = await open();
    await chat.frame(({ type }) => type === 'connected');
    chat.deafen();
    expect(await service.stop()).toMatchObject({ code: 0 });
  });

  describe('during an upload', () => {
    const boundary = 'a-boundary';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
    const tail = `\r\n--${boundary}--\r\n`;
    const files = () => readdirSync(join(place.dataDir, 'files')).filter((name) => name !== 'installation');
    /** Sends the first half of a document and waits until it is on the disk. */
    const beginUpload = async (service: ServiceProcess, api: ApiClient): Promise<ClientRequest> => {
      const upload = request(`${service.address}/api/v1/files/documents`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${api.token}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': head.length + 200_000 + tail.length,
        },
      });
      upload.write(head + 'a'.repeat(100_000));
      await expect.poll(files).toEqual([expect.stringMatching(/\.part$/)]);
      return upload;
    };

    it('finishes it', async () => {
      const { service, api } = await start();
      const upload = await beginUpload(service, api);
      service.signal('SIGTERM');
      await expect
        .poll(() =>
          fetch(`${service.address}/healthz`).then(
            () => 'open',
            () => 'closed',
          ),
        )
        .toBe('closed');
      upload.end('b'.repeat(100_000) + tail);
      const [response] = (await once(upload, 'response')) as [IncomingMessage];
      const { data } = JSON.parse(await text(response));
      expect(response.statusCode).toBe(200);
      expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
      const stored = join(place.dataDir, 'files', data.file_id.slice(-2), data.file_id);
      expect(readFileSync(stored, 'utf8')).toBe('a'.repeat(100_000) + 'b'.repeat(100_000));
    });

    it.runIf(looksClosely)(
      'gives up one that stands still, of which nothing is left after the next start',
      async () => {
        const { service, api } = await start({ PARLEY_SHUTDOWN_TIMEOUT_SECONDS: '1' });
        const upload = await beginUpload(service, api);
        const broken = once(upload, 'error');
        expect(await service.stop()).toMatchObject({ code: 0 });
        await broken;
        await start();
        expect(files()).toEqual([]);
      },
    );
  });
});
