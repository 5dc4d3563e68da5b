import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { startFakeServer } from '../../../testing/fake-server.ts';
import { input, showField } from '../../../testing/show-field.tsx';
import { english } from '../../../testing/texts.ts';

describe('every field', () => {
  const types = ['string', 'text', 'integer', 'boolean', 'select', 'array[string]', 'json'];

  it.each(types)('of the type %s is described by its error and its help', async (type) => {
    const help = 'Painted in white.';
    await showField({ type, description: { en_US: help } }, undefined, 'is taken');
    const described = input().getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(['is taken', help]);
    expect(input().getAttribute('aria-invalid')).toBe('true');
  });

  it.each(types)('of the type %s without an error is not marked', async (type) => {
    await showField({ type });
    expect(input().getAttribute('aria-invalid')).toBeNull();
    expect(input().getAttribute('aria-describedby')).toBeNull();
  });

  it.each([
    [{ required: false }, true],
    [{ required: true }, false],
    [{ required: false, default: '' }, false],
  ])('that is %j is called optional: %s', async (field, isOptional) => {
    await showField({ type: 'string', ...field });
    expect(screen.queryByText(`(${english.common.optional})`) !== null).toBe(isOptional);
  });

  it.each([
    [null, true],
    ['https://bots.example.org', false],
  ])('that needs a public URL says so where it is %s: %s', async (address, isSaid) => {
    const server = startFakeServer();
    // Nothing else of the server matters here.
    server.on('get', '/api/v1/system/info', { public_url: address } as never);
    await showField({ type: 'boolean', requires: 'public_url' });
    await waitFor(() => expect(server.callsTo('get', '/api/v1/system/info')).toHaveLength(1));
    // The name of the setting is shown as code.
    const [before = ''] = english.forms.requires.public_url.split('`');
    const said = () => document.body.textContent?.includes(before);
    await (isSaid ? waitFor(() => expect(said()).toBe(true)) : expect(said()).toBe(false));
  });
});
