import { expect, it } from 'vitest';
import { modelRequesters } from './index.ts';

it('lists every requester once, the demo among them', () => {
  const names = modelRequesters.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('demo');
  expect(names).toContain('openai-chat-completions');
});
