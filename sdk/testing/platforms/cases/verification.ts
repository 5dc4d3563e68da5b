import { expect } from 'vitest';
import { textOfChain } from '../../../src/message-text.ts';
import type { Forgery } from '../fake-platform.ts';
import { mutated, seeded } from '../mutations.ts';
import { casesOf } from '../platform-case.ts';
import type { PlatformFacts } from '../platform-facts.ts';
import type { Stage } from '../stage.ts';

const isCalled = ({ capabilities }: PlatformFacts) => capabilities.webhook || capabilities.inbound_sockets === true;
const verifiesAddress = ({ implementation, capabilities }: PlatformFacts) =>
  capabilities.webhook && implementation.verifyAddress !== undefined;

/** Nothing of a forged event arrives, and the adapter receives what comes after it. */
async function refuses(stage: Stage, how: Forgery): Promise<void> {
  await stage.start();
  if (how === 'replayed') await stage.ask({ text: 'The first' });
  const before = stage.context.received.length;
  const outcomes = await stage.fake.forge(how);
  expect(outcomes.length, 'forged requests').toBeGreaterThan(0);
  expect(outcomes.filter((outcome) => outcome === 'acknowledged')).toEqual([]);
  expect(stage.context.received.length).toBe(before);
  await stage.ask({ text: 'A right one' });
}

/** What is right in itself but cannot be read is not received, whatever the response. */
async function survives(stage: Stage, how: Forgery): Promise<void> {
  await stage.start();
  await stage.fake.forge(how);
  expect(stage.context.received).toEqual([]);
  const { event } = await stage.ask({ text: 'A right one' });
  expect(textOfChain(event.message_chain)).toBe('A right one');
}

const forged = (name: string, how: Forgery) => ({
  name,
  needs: isCalled,
  run: (stage: Stage) => refuses(stage, how),
});

const unreadable = (name: string, how: Forgery) => ({ name, run: (stage: Stage) => survives(stage, how) });

export const verificationCases = casesOf('verification', [
  forged('wrong signature', 'wrong_signature'),
  forged('missing signature', 'missing_signature'),
  forged('signature of another length', 'short_signature'),
  forged('signature of another bot', 'of_another_bot'),
  forged('old request', 'too_old'),
  forged('request from the future', 'from_the_future'),
  forged('replayed request', 'replayed'),
  {
    name: 'request replayed after a restart',
    needs: isCalled,
    run: async (stage) => {
      await stage.start();
      await stage.ask({ text: 'The first' });
      await stage.restart();
      expect(await stage.fake.forge('replayed')).not.toContain('acknowledged');
      expect(stage.context.received).toHaveLength(1);
    },
  },
  unreadable('event that is not JSON', 'malformed'),
  unreadable('event that is too large', 'oversize'),
  unreadable('event that is nested deep', 'deep'),
  unreadable('compressed bomb', 'compressed_bomb'),
  {
    name: 'mutated events',
    run: async (stage) => {
      await stage.start();
      const random = seeded(42);
      for (const sample of stage.fake.samples()) {
        for (let times = 0; times < 20; times += 1) await stage.fake.raw(mutated(sample, random));
      }
      await stage.ask({ text: 'A right one' });
      for (const event of stage.context.received) expect(typeof event.platform_message_id).toBe('string');
    },
  },
  {
    name: 'address is verified',
    needs: verifiesAddress,
    run: async (stage) => {
      await stage.start();
      expect(await stage.fake.verifyAddress('right')).toBe(true);
    },
  },
  {
    name: 'wrong verification of the address',
    needs: verifiesAddress,
    run: async (stage) => {
      await stage.start();
      expect(await stage.fake.verifyAddress('wrong')).toBe(false);
    },
  },
  {
    name: 'address is verified before the start',
    needs: verifiesAddress,
    run: async (stage) => expect(await stage.fake.verifyAddress('right')).toBe(true),
  },
  {
    name: 'address is verified after a failed start',
    needs: verifiesAddress,
    run: async (stage) => {
      stage.fake.fail('any', 'server_error', 100);
      await stage.start().catch(() => undefined);
      expect(await stage.fake.verifyAddress('right')).toBe(true);
    },
  },
]);
