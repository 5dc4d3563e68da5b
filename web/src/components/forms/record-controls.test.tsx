import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer } from '../../../testing/fake-server.ts';
import { button, input, options, showField } from '../../../testing/show-field.tsx';
import { english, fill } from '../../../testing/texts.ts';

describe('records', () => {
  let server: FakeServer;
  const models = [
    { uuid: 'm1', name: 'Small' },
    { uuid: 'm2', name: 'Large' },
  ];

  beforeEach(() => {
    server = startFakeServer();
    for (const kind of ['llm', 'embedding', 'rerank'] as const) {
      server.on('get', `/api/v1/provider/models/${kind}`, { models } as never);
    }
    server.on('get', '/api/v1/platform/bots', { bots: models } as never);
    server.on('get', '/api/v1/knowledge/bases', { bases: models } as never);
  });

  const paths: Record<string, string> = {
    'llm-model-selector': '/api/v1/provider/models/llm',
    'embedding-model-selector': '/api/v1/provider/models/embedding',
    'rerank-model-selector': '/api/v1/provider/models/rerank',
    'bot-selector': '/api/v1/platform/bots',
  };

  describe.each(Object.keys(paths))('of the type %s', (type) => {
    it('are offered, and none', async () => {
      const { user, values } = await showField({ type });
      await screen.findByRole('option', { name: 'Large' });
      expect(server.calls.map(({ path }) => path)).toEqual([paths[type]]);
      expect(options(input())).toEqual([
        ['', english.common.none],
        ['m1', 'Small'],
        ['m2', 'Large'],
      ]);
      await user.selectOptions(input(), 'm2');
      await user.selectOptions(input(), '');
      expect(values()).toEqual(['m2', '']);
    });

    it('that were deleted are shown by their id', async () => {
      await showField({ type }, 'm9');
      await screen.findByRole('option', { name: 'Large' });
      expect([input().value, options(input())[1]]).toEqual(['m9', ['m9', 'm9']]);
    });

    it('are kept when they cannot be listed', async () => {
      server.refuse('get', paths[type] as string, refusal(403, 'role_required'));
      const { values } = await showField({ type }, 'm1');
      await waitFor(() => expect(server.calls).toHaveLength(1));
      expect(input().value).toBe('m1');
      expect(values()).toEqual([]);
    });
  });

  describe('of the type model-fallback-selector', () => {
    const type = 'model-fallback-selector';
    const fallback = (number: number) => input(fill(english.forms.fallback, { number }));

    it.each([
      ['its id alone', 'm1', []],
      ['an object', { primary: 'm1', fallbacks: ['m2'] }, ['m2']],
    ])('are read from %s', async (_, stored, fallbacks) => {
      const { user, latest } = await showField({ type }, stored);
      await screen.findAllByRole('option', { name: 'Large' });
      expect(input().value).toBe('m1');
      await user.selectOptions(input(), 'm2');
      expect(latest()).toEqual({ primary: 'm2', fallbacks });
    });

    it('have fallbacks in order', async () => {
      const { user, latest } = await showField({ type }, { primary: 'm1', fallbacks: [] });
      await screen.findAllByRole('option', { name: 'Large' });
      await user.click(button(english.forms.addFallback));
      await user.selectOptions(fallback(1), 'm2');
      await user.click(button(english.forms.addFallback));
      await user.selectOptions(fallback(2), 'm1');
      expect(latest()).toEqual({ primary: 'm1', fallbacks: ['m2', 'm1'] });
      await user.click(screen.getAllByRole('button', { name: english.common.remove })[0] as HTMLElement);
      expect(latest()).toEqual({ primary: 'm1', fallbacks: ['m1'] });
    });

    it('have no fallback before a model is chosen', async () => {
      await showField({ type });
      expect(button(english.forms.addFallback).disabled).toBe(true);
    });
  });

  describe('of the type knowledge-base-multi-selector', () => {
    const type = 'knowledge-base-multi-selector';
    const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });

    it('are chosen in any number', async () => {
      const { user, values } = await showField({ type }, ['m1']);
      expect((await box('Small')).checked).toBe(true);
      await user.click(await box('Large'));
      await user.click(await box('Small'));
      expect(values()).toEqual([['m1', 'm2'], ['m2']]);
    });

    it('that were deleted can be taken out', async () => {
      const { user, values } = await showField({ type }, ['m9', 'm1']);
      await user.click(await box('m9'));
      expect(values()).toEqual([['m1']]);
      expect(screen.queryByRole('checkbox', { name: 'm9' })).toBeNull();
    });

    it('are not there yet', async () => {
      server.on('get', '/api/v1/knowledge/bases', { bases: [] });
      await showField({ type });
      expect(await screen.findByText(english.forms.noKnowledgeBases)).toBeTruthy();
      const next = screen.getByRole('link', { name: english.knowledge.new });
      expect(next.getAttribute('href')).toBe('/knowledge/new');
    });

    it('are kept when they cannot be listed', async () => {
      server.on('get', '/api/v1/knowledge/bases', refusal(503, 'storage_unavailable'));
      const { values } = await showField({ type }, ['m1']);
      await waitFor(() => expect(server.calls).toHaveLength(1));
      expect(values()).toEqual([]);
      expect(screen.queryByText(english.forms.noKnowledgeBases)).toBeNull();
    });
  });
});
