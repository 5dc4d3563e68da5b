import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedResource } from '../../../test/shared/shared-resource.ts';
import { callOfTool, makeProgram } from '../testing/make-program.ts';
import { launchPlugin } from './launch-plugin.ts';
import { PluginProcessPool } from './plugin-process-pool.ts';

const pool = new PluginProcessPool({
  launch: (program) => launchPlugin(program, 'best'),
  hostWhileStarting: () => ({ answer: async () => ({ result: {} }) }),
});
beforeAll(() => sharedResource('commandLine'), 120_000);
afterAll(() => pool.stop());

// It waits for 15 s between the starts.
test('a plugin that crashes again and again is paused; another program of it starts at once', async () => {
  await using crashing = await makeProgram('process.exit(1);');
  pool.set(crashing);
  const reasons: string[] = [];
  for (let call = 0; call < 6; call += 1) {
    reasons.push(await pool.call(callOfTool(crashing.id)).then(String, ({ reason }) => reason));
  }
  expect(reasons).toEqual([...Array.from({ length: 5 }, () => 'plugin_crashed'), 'plugin_paused']);
  expect(pool.state(crashing.id)?.state).toBe('paused');
  await using mended = await makeProgram(
    `export default { tools: { act: () => 'mended' }, listeners: { received() {} } };`,
  );
  pool.set(mended);
  expect(await pool.call(callOfTool(mended.id))).toMatchObject({ text: 'mended' });
  await pool.remove(mended.id);
});
