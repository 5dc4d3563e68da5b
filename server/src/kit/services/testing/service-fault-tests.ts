import { ParleyError, type Runner } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { askRunner, type Question } from './ask-runner.ts';
import { type FakeFault, type FakeService, startFakeService } from './fake-service.ts';

export interface ServiceFaultOptions {
  runner: Runner;
  /** The fake of the service. Called in each test. */
  service: () => FakeService;
  /** Configuration that leads to an address, with a key and a time limit of a second at most. */
  config: (url: string) => Record<string, unknown>;
  /** The key in it. */
  secret: string;
  /** Streamed responses, if supported: media type, some text and an endless continuation. */
  stream?: { type: string; begin: string[]; more: string };
  /** An answer without any text. */
  empty: FakeFault;
  /** Malformed responses, by description. */
  malformed: Record<string, FakeFault>;
  /** Failures that the service reports in a response with status 200, with the reason and part of the message. */
  reported?: Record<string, { fault: FakeFault; reason: string; message: string }>;
  /** An answer that is far too long. */
  huge: FakeFault;
}

/** Registers tests of failures between a runner and its service. */
export function serviceFaultTests(options: ServiceFaultOptions): void {
  const { runner, secret, stream } = options;
  const ask = (fault: FakeFault | null, over: Question = {}) => {
    const service = options.service();
    if (fault !== null) service.meet(fault);
    return askRunner(runner, { config: options.config(service.url), ...over });
  };
  const refusal = (status: number, headers: Record<string, string> = {}): FakeFault => {
    const message = `No: ${secret}`;
    return { kind: 'answer', status, body: JSON.stringify({ message }), headers };
  };
  const failsWith = async (fault: FakeFault, expected: { reason: string; [field: string]: unknown }) => {
    const { error } = await ask(fault);
    expect(error).toBeInstanceOf(ParleyError);
    expect(error).toMatchObject(expected);
    expect(`${error?.message} ${error?.stack} ${JSON.stringify(error?.cause ?? '')}`).not.toContain(secret);
    return error;
  };

  describe(`faults that ${runner.name} meets`, () => {
    it('a refused connection', async () => {
      const gone = await startFakeService(() => undefined);
      await gone.close();
      const { error } = await askRunner(runner, { config: options.config(gone.url) });
      expect(error).toMatchObject({ name: 'ParleyError', reason: 'provider_unreachable' });
      expect(error?.message).toMatch(/could not be reached \(ECONNREFUSED\)/);
    });

    it.each([
      [401, 'provider_unauthorized'],
      [403, 'provider_unauthorized'],
      [400, 'provider_failed'],
      [500, 'provider_failed'],
      [504, 'provider_timeout'],
    ])('a refusal with %i', async (status, reason) => {
      await failsWith(refusal(status), { reason });
    });

    it('a refusal with retry-after', async () => {
      await failsWith(refusal(429, { 'retry-after': '17' }), { reason: 'quota', retryAfterSeconds: 17 });
    });

    it('a page for browsers instead of a refusal', async () => {
      const page: FakeFault = { kind: 'answer', status: 502, body: '<h1>Bad gateway</h1>' };
      const error = await failsWith(page, { reason: 'provider_failed' });
      expect(error?.message).toMatch(/ answered 502\.$/);
    });

    it('a redirect, which is not followed', async () => {
      const service = options.service();
      const before = service.requests.length;
      await failsWith(refusal(302, { location: `${service.url}/elsewhere` }), { reason: 'provider_failed' });
      expect(service.requests).toHaveLength(before + 1);
    });

    it('headers that do not come', async () => {
      await failsWith({ kind: 'silence' }, { reason: 'provider_timeout' });
    });

    it('an answer that never came is aborted at once', async () => {
      const service = options.service();
      const before = service.requests.length;
      const controller = new AbortController();
      const asked = ask({ kind: 'silence' }, { signal: controller.signal });
      await expect.poll(() => service.requests.length, { timeout: 10_000 }).toBe(before + 1);
      const reason = new Error('aborted');
      controller.abort(reason);
      expect((await asked).error).toBe(reason);
      await service.requests.at(-1)?.closed;
    });

    it('an empty answer', async () => {
      await failsWith(options.empty, { reason: 'provider_failed' });
    });

    it.each(Object.entries(options.malformed))('%s', async (_, fault) => {
      await failsWith(fault, { reason: 'provider_failed' });
    });

    it.each(Object.entries(options.reported ?? {}))('%s', async (_, { fault, reason, message }) => {
      const error = await failsWith(fault, { reason });
      expect(error?.message).toContain(message);
    });

    it('an answer that is far too long', async () => {
      const error = await failsWith(options.huge, { reason: 'provider_failed' });
      expect(error?.message).toMatch(/is too long/);
      await options.service().requests.at(-1)?.closed;
    });

    it('a key with characters that no header may have', async () => {
      const config = options.config(options.service().url);
      const broken = JSON.parse(JSON.stringify(config).replaceAll(secret, 'key\\nwith a line 密钥'));
      const { error } = await askRunner(runner, { config: broken });
      expect(error).toMatchObject({ name: 'ParleyError', reason: 'invalid_request' });
      expect(error?.message).not.toContain('with a line');
      expect(error?.cause).toBeUndefined();
    });

    if (stream === undefined) return;
    const streamed = (ending: 'cut' | 'silence' | 'on and on', pieces = stream.begin): FakeFault => {
      return { kind: 'stream', type: stream.type, pieces, ending };
    };

    it('a stream that breaks', async () => {
      const { text, error } = await ask(streamed('cut'));
      expect(text).not.toBe('');
      expect(error).toMatchObject({ reason: 'provider_failed' });
      expect(error?.message).toMatch(/broke off/);
    });

    it('a stream that falls silent', async () => {
      const { text, error } = await ask(streamed('silence'));
      expect(text).not.toBe('');
      expect(error).toMatchObject({ reason: 'provider_timeout' });
      await options.service().requests.at(-1)?.closed;
    });

    it('a stream without end', async () => {
      const { text, error } = await ask(streamed('on and on', [...stream.begin, stream.more]));
      expect(text).not.toBe('');
      expect(error).toMatchObject({ reason: 'provider_failed' });
      expect(error?.message).toMatch(/is too long/);
      await options.service().requests.at(-1)?.closed;
    });
  });
}
