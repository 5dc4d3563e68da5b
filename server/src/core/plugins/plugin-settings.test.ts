import type { PluginSettings } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { SecretBox } from '../../lib/secret-box.ts';
import { acceptSettings, completeSettings, openSettings, settingsSchema } from './plugin-settings.ts';

const settings: PluginSettings = {
  type: 'object',
  properties: {
    server: { type: 'string', default: '', 'x-address': true },
    key: { type: 'string', default: '', 'x-secret': true, minLength: 0, maxLength: 40 },
    count: { type: 'integer', default: 3, minimum: 1 },
  },
};
const schema = settingsSchema({ settings });
const box = new SecretBox(Buffer.alloc(32, 1));
const key = 'key-0123456789abcdef';
const nothing = { id: 'a/b', settings: {}, sealed_secrets: null };
const stored = { id: 'a/b', ...acceptSettings(box, schema, { server: 'https://a.example', key }, nothing) };

describe('settings of a plugin', () => {
  it('are stored with masks, and opened complete', () => {
    expect(JSON.stringify(stored)).not.toContain(key);
    expect(openSettings(box, schema, stored)).toEqual({ server: 'https://a.example', key, count: 3 });
    expect(openSettings(box, schema, nothing)).toEqual({ server: '', key: '', count: 3 });
  });

  it('keep a masked secret only while the address stays', () => {
    const kept = acceptSettings(box, schema, { ...stored.settings, count: 4 }, stored);
    expect(openSettings(box, schema, { id: 'a/b', ...kept })).toMatchObject({ key, count: 4 });
    const moved = { ...stored.settings, server: 'https://b.example' };
    expect(() => acceptSettings(box, schema, moved, stored)).toThrow(
      expect.objectContaining({ reason: 'secret_required' }),
    );
  });

  it.each([[{ count: 0 }], [{ count: '3' }], [{ other: 1 }], [{ key: 'k'.repeat(41) }], [{ key: 5 }]])(
    'are refused by their schema: %j',
    (given) => {
      expect(() => acceptSettings(box, schema, given, nothing)).toThrow(
        expect.objectContaining({ reason: 'invalid_request', details: [expect.anything()] }),
      );
    },
  );

  it('get the defaults of another version where they do not fit it', () => {
    const next = settingsSchema({
      settings: {
        type: 'object',
        properties: {
          key: { type: 'string', default: '' },
          count: { type: 'integer', default: 9, minimum: 5 },
          more: { type: 'boolean', default: true },
        },
      },
    });
    // The mask of a secret is nothing to show where the field is no secret any more.
    expect(completeSettings(next, stored.settings)).toEqual({ key: '', count: 9, more: true });
  });
});
