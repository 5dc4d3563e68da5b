import { Check } from 'typebox/value';
import { expect } from 'vitest';
import { textOfChain } from '../../../src/message-text.ts';
import { failureOf, RecordedProgress } from '../outgoing.ts';
import { casesOf } from '../platform-case.ts';
import type { Stage } from '../stage.ts';

const textsOf = (stage: Stage) => stage.messages.map(({ message_chain }) => textOfChain(message_chain));

/** A message that is delivered when the connection is there again arrives. */
async function receivesAgain(stage: Stage, breakIt: () => void | Promise<void>): Promise<void> {
  await stage.start();
  await stage.ask({ text: 'Before' });
  await breakIt();
  void stage.fake.deliver({ text: 'After' }).catch(() => undefined);
  await stage.until(() => textsOf(stage).includes('After'), 'the message after the interruption');
  expect(textsOf(stage)).toEqual(['Before', 'After']);
}

const last = (stage: Stage) => stage.context.reports.at(-1);

/** The adapter gives up, and makes no further attempt. */
async function givesUp(stage: Stage): Promise<void> {
  const attempts = stage.attempts;
  await stage.until(() => last(stage)?.state === 'failed' || stage.attempts > attempts + 10, 'the adapter gives up');
  expect(last(stage)?.state).toBe('failed');
  const before = stage.attempts;
  await stage.pass(50);
  expect(stage.attempts - before, 'attempts after it gave up').toBe(0);
}

export const connectionCases = casesOf('connections', [
  {
    name: 'configuration is valid',
    run: async (stage) => expect(Check(stage.facts.platform.config, stage.config)).toBe(true),
  },
  {
    name: 'methods are those that the capabilities promise',
    run: async (stage) => {
      const { streams, webhook, inbound_sockets = false, typing_ms } = stage.capabilities;
      const { adapter } = stage;
      if (Object.keys(streams).length > 0) expect(typeof adapter.stream).toBe('function');
      if (webhook) expect(typeof adapter.handleWebhook).toBe('function');
      if (inbound_sockets) expect(typeof adapter.acceptSocket).toBe('function');
      if (typing_ms !== undefined) expect(typeof adapter.showTyping).toBe('function');
    },
  },
  {
    name: 'starts and stops, once or twice',
    run: async (stage) => {
      await stage.start();
      await stage.start();
      await stage.stop();
      await stage.stop();
    },
  },
  { name: 'stop without a start', run: (stage) => stage.adapter.stop() },
  {
    name: 'stop during the start',
    run: async (stage) => {
      const starting = stage.adapter.start().catch(() => undefined);
      await stage.stop();
      await starting;
      const failure = await failureOf(stage.send('Too late', { question: null, to: stage.fake.person() }));
      expect(['not_sent', 'refused']).toContain(failure.kind);
    },
  },
  {
    name: 'nothing is sent before the start and after the stop',
    run: async (stage) => {
      const early = { question: null, to: stage.fake.person() };
      expect(['not_sent', 'refused']).toContain((await failureOf(stage.send('Too early', early))).kind);
      await stage.start();
      const message = await stage.outgoing('Too late');
      await stage.stop();
      expect(['not_sent', 'refused']).toContain((await failureOf(stage.adapter.send(message))).kind);
      expect(stage.texts()).toEqual([]);
    },
  },
  {
    name: 'connects again and receives what waited',
    needsConnection: true,
    run: async (stage) => {
      await stage.start();
      await stage.ask({ text: 'Before' });
      await stage.goAway();
      void stage.fake.deliver({ text: 'Meanwhile' }).catch(() => undefined);
      await stage.until(() => last(stage)?.state === 'reconnecting', 'the interruption is reported');
      await stage.fake.comeBack();
      await stage.until(() => textsOf(stage).includes('Meanwhile'), 'the message that waited');
      await stage.until(() => last(stage)?.state === 'connected', 'the new connection is reported');
      expect(textsOf(stage)).toEqual(['Before', 'Meanwhile']);
    },
  },
  {
    name: 'connection that fell silent is replaced',
    needsConnection: true,
    run: (stage) => receivesAgain(stage, () => stage.fake.halfOpen()),
  },
  {
    name: 'platform asks to connect again',
    needsConnection: true,
    run: (stage) =>
      receivesAgain(stage, async () => {
        const { attempts } = stage.fake.connections();
        stage.fake.askToReconnect();
        await stage.until(() => stage.fake.connections().attempts > attempts, 'another connection');
      }),
  },
  {
    name: 'session cannot be resumed',
    needsConnection: true,
    run: (stage) =>
      receivesAgain(stage, async () => {
        stage.fake.forgetSessions();
        await stage.goAway();
        await stage.fake.comeBack();
      }),
  },
  {
    name: 'lasting refusal ends the attempts',
    needsConnection: true,
    run: async (stage) => {
      await stage.start();
      stage.fake.revoke();
      await givesUp(stage);
      expect(last(stage)).toMatchObject({ reason: 'platform_unauthorized' });
    },
  },
  {
    name: 'takeover by another program is reported and not fought',
    needsConnection: true,
    run: async (stage) => {
      await stage.start();
      stage.fake.takeOver();
      await stage.until(() => (last(stage)?.state ?? 'connected') !== 'connected', 'the takeover is reported');
      const before = stage.fake.connections().attempts;
      await stage.pass(50);
      expect(stage.fake.connections().attempts - before, 'connections after it').toBeLessThanOrEqual(1);
    },
  },
  {
    name: 'attempts have pauses',
    needsConnection: true,
    run: async (stage) => {
      await stage.start();
      await stage.goAway();
      const before = stage.attempts;
      await stage.until(() => stage.attempts > before, 'an attempt');
      await stage.pass(100);
      // Tests shorten the pauses to a few milliseconds; without any there would be hundreds.
      expect(stage.attempts - before).toBeLessThan(50);
    },
  },
  {
    name: 'stop while it connects',
    run: async (stage) => {
      stage.fake.fail('any', 'silence', 100);
      const starting = stage.start().then(
        () => 'started',
        () => 'failed',
      );
      await stage.until(() => stage.fake.calls('any') > 0 || stage.fake.connections().attempts > 0, 'an attempt');
      await stage.stop();
      expect(await starting).toBe('failed');
    },
  },
  {
    name: 'stop while it receives',
    run: async (stage) => {
      await stage.start();
      const asked = Promise.withResolvers<void>();
      const works = Promise.withResolvers<void>();
      stage.store = () => {
        asked.resolve();
        return works.promise;
      };
      void stage.fake.deliver({ text: 'Hello' }).catch(() => undefined);
      await asked.promise;
      const stopping = stage.stop();
      works.resolve();
      await stopping;
      expect(stage.fake.connections().open).toBe(0);
    },
  },
  {
    name: 'stop while it sends',
    run: async (stage) => {
      await stage.start();
      const message = await stage.outgoing('Hello');
      const before = stage.fake.calls('send');
      stage.fake.fail('send', 'silence');
      const failing = failureOf(stage.adapter.send(message, new RecordedProgress()));
      await stage.until(() => stage.fake.calls('send') > before, 'the call');
      await stage.stop();
      expect((await failing).kind).toBe('unknown');
    },
  },
  {
    name: 'stop while it connects again',
    needsConnection: true,
    run: async (stage) => {
      await stage.start();
      await stage.goAway();
      await stage.until(() => last(stage)?.state === 'reconnecting', 'the interruption is reported');
      await stage.stop();
      const before = stage.attempts;
      await stage.fake.comeBack();
      await stage.pass(50);
      expect(stage.attempts - before, 'attempts after the stop').toBe(0);
    },
  },
  {
    name: 'nothing is left after a stop',
    run: async (stage) => {
      for (let times = 0; times < 3; times += 1) {
        await stage.restart();
        await stage.ask();
        await stage.send('An answer', { question: await stage.ask() });
      }
      await stage.stop();
      await stage.until(() => stage.fake.connections().open === 0, 'the connection is closed');
    },
  },
  {
    name: 'two bots in one process',
    run: async (stage) => {
      await stage.start();
      const other = stage.createOther();
      try {
        await other.start();
        expect(other.accountId?.()).not.toBe(stage.fake.accountId);
        await stage.ask({ text: 'Hello' });
        expect(stage.messages).toHaveLength(1);
      } finally {
        await other.stop();
      }
    },
  },
  {
    name: 'account is known after the start',
    run: async (stage) => {
      await stage.start();
      expect(stage.adapter.accountId?.()).toBe(stage.fake.accountId);
    },
  },
]);
