import { fakeTool, silentLogger } from '@parley/sdk/testing';
import { expect, it, vi } from 'vitest';
import { ToolCatalog } from './tool-catalog.ts';

it('does not wait for a source that never responds', async () => {
  const warn = vi.fn();
  const sources = [
    { name: 'silent', tools: () => new Promise<never>(() => undefined) },
    { name: 'good', tools: async () => [fakeTool()] },
  ];
  const catalog = new ToolCatalog(sources, { ...silentLogger, warn }, 20);
  expect([...(await catalog.tools()).keys()]).toEqual(['look_up']);
  expect(warn).toHaveBeenCalledExactlyOnceWith({ source: 'silent' }, expect.stringContaining('timed out'));
});

it('does not fill the log with the names of skipped tools', async () => {
  const warn = vi.fn();
  let round = 0;
  const tools = async () => {
    round += 1;
    return Array.from({ length: 100 }, (_, index) => fakeTool({ name: `has space ${round} ${index}` }));
  };
  const catalog = new ToolCatalog([{ name: 'odd', tools }], { ...silentLogger, warn });
  for (let times = 0; times < 20; times += 1) expect((await catalog.tools()).size).toBe(0);
  expect(warn).toHaveBeenCalledTimes(1000);
});
