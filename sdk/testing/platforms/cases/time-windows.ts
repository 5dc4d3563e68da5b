import { expect } from 'vitest';
import { failureOf, plain, RecordedProgress } from '../outgoing.ts';
import { casesOf } from '../platform-case.ts';
import type { PlatformFacts } from '../platform-facts.ts';
import type { Stage } from '../stage.ts';

const needsContext = ({ capabilities }: PlatformFacts) => capabilities.reply_context === true;
const typed = ['reply_expired', 'window_closed', 'quota'];

/** Answers without a valid context: unsolicited where the platform allows it, else refused with a reason. */
async function answersLate(stage: Stage, send: () => Promise<unknown>): Promise<void> {
  const before = stage.texts();
  const { proactive } = stage.capabilities;
  try {
    await send();
    expect(stage.texts()).toEqual([...before, 'Late']);
  } catch (error) {
    expect(['any', 'known'], 'platforms that can be written to at any time').not.toContain(proactive);
    const failure = await failureOf(Promise.reject(error));
    expect(typed).toContain(failure.reason);
    expect(failure.kind).not.toBe('unknown');
    expect(stage.texts()).toEqual(before);
    // A window that is open takes an answer without a context.
    expect(failure.reason === 'reply_expired' && proactive !== 'none', 'an answer with a context that is over').toBe(
      false,
    );
  }
}

export const timeWindowCases = casesOf('time windows', [
  {
    name: 'answer with the context of its question',
    needs: needsContext,
    run: async (stage) => {
      await stage.start();
      const question = await stage.ask();
      expect(question.event.reply_context).toBeDefined();
      await stage.send('In time', { question });
      expect(stage.texts()).toEqual(['In time']);
    },
  },
  {
    name: 'context is expired',
    needs: needsContext,
    run: async (stage) => {
      await stage.start();
      const question = await stage.ask();
      const { expires_at } = question.event.reply_context ?? {};
      stage.fake.advance(expires_at === undefined ? 7_200_000 : Date.parse(expires_at) - stage.fake.now() + 1);
      await answersLate(stage, () => stage.send('Late', { question }));
    },
  },
  {
    name: 'uses of a context are spent',
    needs: needsContext,
    run: async (stage) => {
      await stage.start();
      const question = await stage.ask();
      const uses = question.event.reply_context?.uses ?? 1;
      for (let use = 0; use < uses; use += 1) await stage.send(`Use ${use}`, { question });
      await answersLate(stage, () => stage.send('Late', { question }));
    },
  },
  {
    name: 'context is used after a restart',
    needs: needsContext,
    run: async (stage) => {
      await stage.start();
      const question = await stage.ask();
      await stage.restart();
      await stage.send('In time', { question });
      expect(stage.texts()).toEqual(['In time']);
    },
  },
  {
    name: 'context expires between two parts',
    needs: needsContext,
    run: async (stage) => {
      await stage.start();
      const question = await stage.ask();
      await stage.send('First', { question });
      const { expires_at } = question.event.reply_context ?? {};
      stage.fake.advance(expires_at === undefined ? 7_200_000 : Date.parse(expires_at) - stage.fake.now() + 1);
      await answersLate(stage, () => stage.send('Late', { question }));
    },
  },
  {
    name: 'platform ends a window early',
    needs: needsContext,
    run: async (stage) => {
      await stage.start();
      const question = await stage.ask();
      const message = await stage.outgoing(plain('Late'), { question });
      stage.fake.spendWindow(question.id);
      const failure = await stage.adapter.send(message, new RecordedProgress()).then(
        () => null,
        (error: unknown) => failureOf(Promise.reject(error)),
      );
      if (failure === null) return expect(stage.texts()).toEqual(['Late']);
      expect(failure.kind).not.toBe('unknown');
      expect(typed).toContain((await failure).reason);
      expect(stage.texts()).toEqual([]);
    },
  },
]);
