import { expect } from 'vitest';
import { ParleyError } from '../../../src/errors.ts';
import { NotOfThisPlatform } from '../fake-platform.ts';
import { plain } from '../outgoing.ts';
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
