import { describe, expect, expectTypeOf, it } from 'vitest';
import { defineManifest, definePlugin, type SettingsOf, type ValueOf } from './plugin-author.ts';

const label = { en_US: 'Example' };
const manifest = defineManifest({
  id: 'example/units',
  version: '1.0.0',
  sdk: '^0.1.0',
  label,
  description: label,
  main: 'main.ts',
  settings: {
    type: 'object',
    properties: {
      precision: { type: 'integer', default: 3 },
      system: { type: 'string', enum: ['metric', 'imperial'], default: 'metric' },
      units: { type: 'array', items: { type: 'string' }, default: ['m', 'km'] },
    },
  },
  contributes: {
    tools: [
      {
        name: 'convert',
        description: 'Converts.',
        parameters: {
          type: 'object',
          properties: {
            value: { type: 'number' },
            to: { enum: ['m', 'km'] },
            lists: { type: 'array', items: { type: 'object', properties: { a: { const: 1 } } } },
          },
          required: ['value', 'to'],
        },
      },
      { name: 'list', description: 'Lists.', parameters: { type: 'object' } },
    ],
    commands: [{ name: 'convert', description: 'Converts.' }],
    listeners: [{ point: 'received' }, { point: 'sent' }],
    pages: [{ name: 'units', label, path: 'pages/units/index.html' }],
  },
});
type Manifest = typeof manifest;

const good = {
  tools: { convert: () => '', list: () => '' },
  commands: { convert: () => '' },
  listeners: { received: () => undefined, sent: () => undefined },
};

describe('definePlugin', () => {
  it('gives handlers the types of the manifest', () => {
    const plugin = definePlugin<Manifest>({
      start: async ({ host }) => {
        expectTypeOf(await host.settings()).toEqualTypeOf<{
          precision: number;
          system: 'metric' | 'imperial';
          units: string[];
        }>();
      },
      tools: {
        convert: ({ value, to, lists }, { message, attempt, progress, signal }) => {
          expectTypeOf(value).toEqualTypeOf<number>();
          expectTypeOf(to).toEqualTypeOf<'m' | 'km'>();
          expectTypeOf(lists?.[0]?.a).toEqualTypeOf<1 | undefined>();
          expectTypeOf([message.sender_id, attempt, signal.aborted]).toEqualTypeOf<(string | number | boolean)[]>();
          progress();
          return { text: '' };
        },
        list: (parameters) => {
          expectTypeOf(parameters).toEqualTypeOf<Record<string, unknown>>();
          return '';
        },
      },
      commands: { convert: ({ parameters }) => parameters.join(' ') },
      listeners: {
        received: ({ message_chain }, { host }) => {
          expectTypeOf(host.settings).returns.resolves.toHaveProperty('precision');
          return { action: 'answer', message_chain };
        },
        sent: () => undefined,
      },
      pages: { units: ({ body }) => body },
    });
    expectTypeOf(plugin.tools.convert).parameter(0).toHaveProperty('value');
    expect(Object.keys(plugin.tools)).toEqual(['convert', 'list']);
  });

  it('refuses handlers that are missing, unknown or wrong', () => {
    definePlugin<Manifest>(good);
    // @ts-expect-error a tool is missing
    definePlugin<Manifest>({ ...good, tools: { list: () => '' } });
    // @ts-expect-error no such command
    definePlugin<Manifest>({ ...good, commands: { convert: () => '', other: () => '' } });
    // @ts-expect-error not declared
    definePlugin<Manifest>({ ...good, runners: {} });
    // @ts-expect-error not allowed at this point
    definePlugin<Manifest>({ ...good, listeners: { received: () => undefined, sent: () => ({ action: 'stop' }) } });
    // @ts-expect-error a tool returns text
    definePlugin<Manifest>({ ...good, tools: { convert: () => 5, list: () => '' } });
    // @ts-expect-error no such page
    definePlugin<Manifest>({ ...good, pages: { other: () => null } });
    // @ts-expect-error a listener that is missing
    definePlugin<Manifest>({ ...good, listeners: { received: () => undefined } });
  });

  it('asks for the parser and the engine that are declared', () => {
    const parser = { label, description: label, media_types: ['text/lines'], extensions: ['lines'] };
    const engine = {
      label,
      description: label,
      capabilities: ['doc_ingestion'],
      creation_schema: { type: 'object', properties: {} },
      retrieval_schema: { type: 'object', properties: { top_k: { type: 'integer', default: 5 } } },
    } as const;
    const { id, version, sdk, description, main } = manifest;
    const about = { id, version, sdk, label, description, main };
    const parsing = defineManifest({ ...about, contributes: { parsers: [parser] } });
    definePlugin<typeof parsing>({
      parser: ({ name, bytes }, { limits, progress }) => {
        expectTypeOf(bytes).toEqualTypeOf<Uint8Array>();
        progress(1, limits.pages);
        return { title: name, blocks: [], page_kind: null, pages: [], warnings: [] };
      },
    });
    // @ts-expect-error the parser is missing
    definePlugin<typeof parsing>({});
    const searching = defineManifest({ ...about, contributes: { engines: [engine] } });
    const methods = { open: () => undefined, drop: () => undefined, retrieve: () => [] };
    definePlugin<typeof searching>({
      engine: { ...methods, ingest: ({ document }) => ({ chunks: document.file_id.length }), remove: () => undefined },
    });
    // @ts-expect-error it takes documents
    definePlugin<typeof searching>({ engine: methods });
    const readOnly = defineManifest({ ...about, contributes: { engines: [{ ...engine, capabilities: [] }] } });
    definePlugin<typeof readOnly>({ engine: methods });
  });

  it('has no settings where none are declared', () => {
    expectTypeOf<SettingsOf<{ id: string }>>().toEqualTypeOf<Record<string, never>>();
    expectTypeOf<ValueOf<{ type: 'array' }>>().toEqualTypeOf<unknown[]>();
    expectTypeOf<ValueOf<{ oneOf: [] }>>().toBeUnknown();
  });
});
