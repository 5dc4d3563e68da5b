import { expect } from 'vitest';
import { ParleyError } from '../../../src/errors.ts';
import { startConnectProxy } from '../../connect-proxy.ts';
import { NotOfThisPlatform } from '../fake-platform.ts';
import { failureOf, plain } from '../outgoing.ts';
import { casesOf } from '../platform-case.ts';

const content = new TextEncoder().encode('Private');

export const networkCases = casesOf('network', [
  {
    name: 'no connection beside the clients of the context',
    // The end of each stage looks for such connections; this one goes through everything that connects.
    run: async (stage) => {
      await stage.start();
      const media = [{ kind: 'file' as const, name: 'list.txt', content }];
      const question = await stage.ask({ media });
      const [reference] = question.event.media ?? [];
      if (reference !== undefined && stage.adapter.fetchMedia !== undefined) {
        const stream = await stage.adapter.fetchMedia(reference.value, new AbortController().signal);
        for await (const chunk of stream) expect(chunk.length).toBeGreaterThan(0);
      }
      await stage.adapter.probe?.();
      await stage.send(plain('An answer'), { question });
      expect(stage.texts()).toEqual(['An answer']);
    },
  },
  {
    name: 'platform is reached through the proxy only',
    needs: ({ platform }) => 'proxy' in platform.config.properties,
    run: async (stage) => {
      const account = 'ada:lovelace';
      const proxy = await startConnectProxy(account);
      try {
        stage.config.proxy = proxy.url.replace('://', `://${account}@`);
        await stage.start();
        const question = await stage.ask();
        await stage.send('An answer', { question });
        expect(stage.texts()).toEqual(['An answer']);
        const further = await stage.ask();
        await proxy.close();
        // Until HTTP clients notice that idle connections are closed.
        await stage.pass(20);
        const { kind } = await failureOf(stage.send('Another answer', { question: further }));
        expect(kind).toBe('not_sent');
        expect(stage.texts()).toEqual(['An answer']);
      } finally {
        await proxy.close().catch(() => undefined);
      }
    },
  },
  {
    name: 'content at a private address is refused',
    run: async (stage) => {
      await stage.start();
      const media = [{ kind: 'file' as const, name: 'list.txt', content, fault: 'private_address' as const }];
      const { event } = await stage.ask({ media });
      const [reference] = event.media ?? [];
      const failure = await (async () => {
        const stream = await stage.adapter.fetchMedia?.(reference?.value, new AbortController().signal);
        for await (const chunk of stream ?? []) throw new Error(`${chunk.length} bytes came from a private address`);
      })().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ParleyError);
      expect(['address_not_allowed', 'not_found']).toContain((failure as ParleyError).reason);
    },
  },
  {
    name: 'address that the platform gives is checked',
    run: async (stage) => {
      if (stage.fake.handOut === undefined) throw new NotOfThisPlatform('addresses to connect to');
      stage.fake.handOut('private_address');
      const failure = await stage.start().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ParleyError);
      expect((failure as ParleyError).reason).toBe('address_not_allowed');
    },
  },
]);
