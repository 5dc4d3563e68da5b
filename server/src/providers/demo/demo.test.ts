import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { modelRequesterContract } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { createDemoModel } from './demo-model.ts';
import { demo } from './index.ts';

const connection = () => ({
  model_name: 'demo',
  base_url: '',
  api_key: null,
  extra_args: {},
  fetch: () => Promise.reject(new Error('the demo must make no calls')),
});

modelRequesterContract({ requester: demo, connection });

async function answerTo(prompt: LanguageModelV4Prompt) {
  const model = createDemoModel('demo');
  const result = await model.doGenerate({ prompt });
  return { text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''), usage: result.usage };
}

const userSays = (text: string): LanguageModelV4Prompt[number] => ({ role: 'user', content: [{ type: 'text', text }] });

describe('the demo model', () => {
  it('states that it is a demo and how to connect a real model', async () => {
    const { text } = await answerTo([userSays('Hi')]);
    expect(text).toContain("Parley's built-in **demo model**");
    expect(text).toContain('No real model is connected');
    expect(text).toMatch(/Add a \*\*provider\*\*.*\n.*Add a \*\*model\*\*/);
  });

  it('quotes the last message, every line of it', async () => {
    const { text } = await answerTo([
      userSays('Earlier'),
      { role: 'assistant', content: [] },
      userSays('One\n\n# Two'),
    ]);
    expect(text).toMatch(/You wrote:\n\n> One\n>\n> # Two$/);
    expect(text).not.toContain('Earlier');
  });

  it('cuts a long quote between characters', async () => {
    const { text } = await answerTo([userSays('😀'.repeat(600))]);
    expect(text.endsWith(`> ${'😀'.repeat(500)}…`)).toBe(true);
  });

  it('quotes nothing when there is no text', async () => {
    expect((await answerTo([userSays(' ')])).text).not.toContain('>');
    expect((await answerTo([{ role: 'system', content: 'Be kind.' }])).text).not.toContain('>');
  });

  it('counts words as tokens', async () => {
    const { text, usage } = await answerTo([{ role: 'system', content: 'Be kind.' }, userSays('How are you?')]);
    expect(usage.inputTokens.total).toBe(5);
    expect(usage.outputTokens.total).toBe(text.split(/\s+/).length);
  });

  it('streams the same text word by word', async () => {
    const model = createDemoModel('demo');
    const prompt = [userSays('Hi')];
    const { stream } = await model.doStream({ prompt });
    const words: string[] = [];
    for await (const part of stream) if (part.type === 'text-delta') words.push(part.delta);
    expect(words.join('')).toBe((await answerTo(prompt)).text);
    expect(words.every((word) => /^\S+\s*$/.test(word))).toBe(true);
    expect(words.length).toBeGreaterThan(20);
  });
});
