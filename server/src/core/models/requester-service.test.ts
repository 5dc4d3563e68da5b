import type { ModelRequester } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { Registry } from '../../lib/registry.ts';
import { RequesterService } from './requester-service.ts';

const requester = (name: string, over: Partial<ModelRequester> = {}): ModelRequester => ({
  name,
  label: { en_US: `The ${name}`, zh_Hans: '名' },
  description: { en_US: 'Something' },
  category: 'maas',
  support_type: ['llm'],
  default_base_url: 'https://models.example/v1',
  ...over,
});

const service = new RequesterService(
  new Registry([
    requester('chat'),
    requester('search', { support_type: ['text-embedding', 'rerank'] }),
    requester('demo', { category: 'builtin', default_base_url: '' }),
  ]),
);
const names = (type?: string) => service.list(type).map(({ name }) => name);

describe('requesters', () => {
  it('are shown with the form for a provider', () => {
    expect(service.get('search')).toEqual({
      name: 'search',
      label: { en_US: 'The search', zh_Hans: '名' },
      description: { en_US: 'Something' },
      icon: 'search.svg',
      spec: {
        config: [
          {
            name: 'base_url',
            label: { en_US: 'Base URL', zh_Hans: expect.any(String), ja_JP: expect.any(String) },
            description: { en_US: expect.any(String), zh_Hans: expect.any(String), ja_JP: expect.any(String) },
            type: 'string',
            required: true,
            default: 'https://models.example/v1',
          },
        ],
        support_type: ['text-embedding', 'rerank'],
        provider_category: 'maas',
        lists_models: false,
      },
    });
    expect(service.get('demo').spec.config).toEqual([]);
    expect(service.list()).toContainEqual(service.get('search'));
  });

  it('say whether they list models, and why they cannot be used', () => {
    const unavailable = { en_US: 'It is elsewhere.' };
    const [able, unable] = [
      requester('able', { listModels: async () => [] }),
      requester('unable', { unavailable }),
    ].map((one) => new RequesterService(new Registry([one])).get(one.name).spec);
    expect(able).toMatchObject({ lists_models: true });
    expect(able).not.toHaveProperty('unavailable');
    expect(unable).toMatchObject({ lists_models: false, unavailable });
  });

  it('are listed by the kind of models they know', () => {
    expect(names()).toEqual(['chat', 'search', 'demo']);
    expect(names('')).toEqual(['chat', 'search', 'demo']);
    expect(names('llm')).toEqual(['chat', 'demo']);
    expect(names('text-embedding')).toEqual(['search']);
    expect(names('rerank')).toEqual(['search']);
    expect(names('image')).toEqual([]);
    expect(names('length')).toEqual([]);
  });

  it('have an icon', async () => {
    expect(await service.icon('chat')).toMatch(/^<svg .*>TC<.*<\/svg>$/);
  });

  it.each(['unknown', '', '__proto__', 'constructor'])('are not found as %j', async (name) => {
    const unknown = expect.objectContaining({ reason: 'not_found', message: 'requester not found' });
    expect(() => service.get(name)).toThrow(unknown);
    await expect(service.icon(name)).rejects.toThrow(unknown);
  });
});
