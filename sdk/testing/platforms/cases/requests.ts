import { expect } from 'vitest';
import type { MessageEvent } from '../../../src/message-event.ts';
import { casesOf } from '../platform-case.ts';
import type { PlatformFacts } from '../platform-facts.ts';
import type { Stage } from '../stage.ts';

const receivesRequests = ({ receives }: PlatformFacts) => receives === 'requests';

const isMeant = ({ context }: Stage, { message_chain, facts }: MessageEvent) =>
  message_chain.some(({ type, ...rest }) => type === 'At' && 'target' in rest && rest.target === context.account?.id) ||
  (facts?.bot_mentions ?? []).length > 0;

/** Adapters that are not started take requests, as on a replica that has not connected the bot. */
export const requestCases = casesOf(
  'requests',
  [
    {
      name: 'request is taken without a start',
      run: async (stage: Stage) => {
        await stage.receive();
        const before = stage.attempts;
        const { event } = await stage.ask({ text: 'Hello', chat: stage.fake.group(), mention: 'account' });
        expect(isMeant(stage, event), 'a mention of the bot').toBe(true);
        await stage.ask({ text: 'Another' });
        expect(stage.messages).toHaveLength(2);
        expect(stage.attempts - before, 'calls of the platform').toBe(0);
        expect(stage.context.reports).toEqual([]);
      },
    },
    {
      name: 'repeated request without a start',
      run: async (stage: Stage) => {
        await stage.receive();
        const { id } = await stage.fake.deliver({ text: 'Hello' });
        await stage.fake.redeliver(id);
        await stage.ask({ text: 'Another' });
        expect(stage.messages).toHaveLength(2);
      },
    },
    {
      name: 'forged request without a start',
      run: async (stage: Stage) => {
        await stage.receive();
        for (const how of ['wrong_signature', 'missing_signature', 'of_another_bot'] as const) {
          expect(await stage.fake.forge(how)).not.toContain('acknowledged');
        }
        expect(stage.context.received).toEqual([]);
        await stage.ask({ text: 'A right one' });
      },
    },
    {
      name: 'not stored without a start, so it comes again where the bot is connected',
      run: async (stage: Stage) => {
        await stage.receive();
        stage.store = () => Promise.reject(new Error('The disk is full'));
        // Some platforms repeat it by themselves.
        const delivering = stage.fake.deliver({ text: 'Hello' });
        const early = await Promise.race([delivering, stage.pass(50)]);
        stage.store = async () => undefined;
        await stage.restart();
        const { id } = await delivering;
        if (early !== undefined) expect(early.outcome).not.toBe('acknowledged');
        if (stage.context.received.length === 0) await stage.fake.redeliver(id);
        await stage.until(() => stage.context.received.length > 0, 'the message is received');
        await stage.ask({ text: 'Another' });
        expect(stage.messages).toHaveLength(2);
      },
    },
    {
      name: 'repeated where the bot is connected',
      run: async (stage: Stage) => {
        await stage.receive();
        const { event, id } = await stage.ask({ text: 'Hello' });
        await stage.restart();
        await stage.fake.redeliver(id);
        await stage.ask({ text: 'Another' });
        expect(stage.messages).toHaveLength(2);
        expect(stage.messages[0]).toEqual(event);
      },
    },
    {
      name: 'nothing is taken after a stop without a start',
      run: async (stage: Stage) => {
        const adapter = await stage.receive();
        await stage.ask({ text: 'Hello' });
        await adapter.stop();
        const delivering = stage.fake.deliver({ text: 'Another' });
        // Some platforms repeat it until it is taken.
        await Promise.race([delivering, stage.pass(50)]);
        expect(stage.messages).toHaveLength(1);
        await stage.restart();
        await delivering;
      },
    },
  ].map((one) => ({ ...one, needs: receivesRequests })),
);
