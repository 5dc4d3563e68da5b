import { setTimeout as delay } from 'node:timers/promises';
import { ParleyError } from '@parley/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchPlugin } from '../../src/plugin-host/supervision/launch-plugin.ts';
import { PluginProcessPool } from '../../src/plugin-host/supervision/plugin-process-pool.ts';
import { callOfListener, callOfTool, makeProgram } from '../../src/plugin-host/testing/make-program.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { type Burden, burdens } from './burdens.ts';

let pool: PluginProcessPool;
beforeAll(async () => {
  await sharedResource('commandLine');
  pool = new PluginProcessPool({
    launch: (program) => launchPlugin(program, 'kernel'),
    hostWhileStarting: () => host,
  });
}, 120_000);
afterAll(() => pool.stop());

const host = { answer: async () => ({ result: {} }) };

const moduleOf = ({ body, atLoad = '', inListener }: Pick<Burden, 'body' | 'atLoad' | 'inListener'>) =>
  `${atLoad}
   async function burden(_, { host }) { ${body} }
   const idle = () => '';
   export default {
     tools: { act: ${inListener ? 'idle' : 'burden'} },
     listeners: { received: ${inListener ? 'burden' : 'idle'} },
   };`;

/** Calls another plugin again and again until the work has ended. @returns the longest call, milliseconds */
async function besideNeighbour(work: () => Promise<void>): Promise<number> {
  await using neighbour = await makeProgram(moduleOf({ body: `return 'here';` }), { id: 'example/neighbour' });
  pool.set(neighbour);
  await pool.call(callOfTool(neighbour.id));
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  // It is awaited below, and may have failed before.
  working.catch(() => undefined);
  let longest = 0;
  while (!isOver) {
    const begun = performance.now();
    expect(await pool.call(callOfTool(neighbour.id))).toMatchObject({ text: 'here' });
    longest = Math.max(longest, performance.now() - begun);
    await delay(20);
  }
  await working;
  await pool.remove(neighbour.id);
  return longest;
}

describe.runIf(process.platform === 'linux')('a plugin that', () => {
  test.each(burdens)('$name is contained while another one answers', async (burden) => {
    await using program = await makeProgram(moduleOf(burden), { id: 'example/burden' });
    pool.set(program);
    const longest = await besideNeighbour(async () => {
      const options = { timeoutMs: burden.timeoutMs ?? 30_000, host };
      const call = pool.call(
        burden.inListener ? callOfListener(program.id, options) : callOfTool(program.id, {}, options),
      );
      const outcome = await call.then(
        () => null,
        (error: unknown) => error,
      );
      const reason = outcome instanceof ParleyError ? outcome.reason : outcome;
      if (burden.call !== 'any') expect(reason).toBe(burden.call);
      if (burden.message !== undefined) expect(String(outcome)).toMatch(burden.message);
    });
    // On a busy machine, with a plugin that uses all of a core.
    expect(longest).toBeLessThan(1500);
    const state = pool.state(program.id);
    if (burden.process !== 'any') expect(state?.failure?.reason ?? null).toBe(burden.process);
    if (burden.process === null) expect(state?.state).toBe('running');
    if (burden.log !== undefined) {
      const lines = pool.log(program.id).map(({ text }) => text);
      expect(lines).toContainEqual(expect.stringMatching(burden.log));
    }
    expect(pool.log(program.id).length).toBeLessThanOrEqual(1000);
    await pool.remove(program.id);
  });
});
