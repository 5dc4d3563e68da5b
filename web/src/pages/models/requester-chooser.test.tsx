import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInConsole } from '../../../testing/render.tsx';
import { english } from '../../../testing/texts.ts';
import { compatibleEndpoint, hostOf, requesterOf } from './compatible-endpoint.ts';
import type { Requester } from './model-queries.ts';
import { RequesterChooser } from './requester-chooser.tsx';

const requester = (name: string, label: string, category: 'manufacturer' | 'maas' | 'self-hosted') =>
  ({
    name,
    label: { en_US: label },
    description: { en_US: `Models of ${label} through its OpenAI-compatible API.` },
    spec: { provider_category: category, config: [], support_type: ['llm'], lists_models: true },
  }) as unknown as Requester;
const requesters = [
  requester('anthropic-messages', 'Anthropic', 'manufacturer'),
  requester('openai-chat-completions', 'OpenAI', 'manufacturer'),
  requester('openai-responses', 'OpenAI Responses', 'manufacturer'),
  requester('azure-openai', 'Azure OpenAI', 'maas'),
  ...Array.from({ length: 8 }, (_, index) => requester(`other-${index}`, `Other ${index}`, 'self-hosted')),
];
const endpoint = english.models.compatible;

it.each([
  ['openai', [endpoint, 'OpenAI', 'OpenAI Responses', 'Azure OpenAI']],
  ['custom', [endpoint]],
  ['vLLM', [endpoint]],
  ['llama.cpp', [endpoint]],
  ['litellm', [endpoint]],
  ['compatible', [endpoint]],
  ['anthropic', ['Anthropic']],
])('%s finds %j, in this order', async (text, found) => {
  await renderInConsole(<RequesterChooser requesters={requesters} onChoose={vi.fn()} />);
  await userEvent.type(screen.getByLabelText(english.models.findProvider), text);
  const names = screen.getAllByRole('button').map((button) => button.querySelector('span span')?.textContent);
  expect(names).toEqual(found);
});

it('passes the endpoint on, whose records have a requester that every client knows', async () => {
  const choose = vi.fn();
  await renderInConsole(<RequesterChooser requesters={requesters} onChoose={choose} />);
  await userEvent.click(screen.getAllByRole('button')[0] as HTMLElement);
  expect(choose).toHaveBeenCalledWith(compatibleEndpoint);
  expect(requesterOf(compatibleEndpoint)).toBe('openai-chat-completions');
  expect(requesterOf('azure-openai')).toBe('azure-openai');
});

it.each([
  ['http://127.0.0.1:8000/v1', '127.0.0.1:8000'],
  [' https://models.example/v1 ', 'models.example'],
  ['models', ''],
  ['', ''],
])('the provider at %j is named %j', (address, name) => {
  expect(hostOf(address)).toBe(name);
});
