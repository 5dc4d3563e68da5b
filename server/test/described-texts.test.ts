import type { I18nText } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { AdapterCatalog } from '../src/core/bots/adapter-catalog.ts';
import { EngineCatalog } from '../src/core/knowledge/engine-catalog.ts';
import { WaitingCallers } from '../src/core/model-api/waiting-callers.ts';
import { RequesterService } from '../src/core/models/requester-service.ts';
import { engines } from '../src/engines/index.ts';
import { Registry } from '../src/lib/registry.ts';
import { parsers } from '../src/parsers/index.ts';
import { platforms } from '../src/platforms/index.ts';
import { createModelApi } from '../src/platforms/model-api/index.ts';
import { modelRequesters } from '../src/providers/index.ts';
import { createRunners } from '../src/runners/index.ts';
import { createStages } from '../src/stages/index.ts';
import { builtInSchema } from './factories/pipeline-schema.ts';

const adapters = new AdapterCatalog(new Registry(platforms));
const knowledge = new EngineCatalog(new Registry(engines), new Registry(parsers));
const modelApi = createModelApi(new WaitingCallers());
const neverAsked = () => Promise.reject(new Error('asked'));
const labelOf = ({ name, label }: { name: string; label: I18nText }) => ({ name, label });

/** Built-in items as clients receive them, with the minimum number of their texts. */
const lists: [name: string, least: number, described: readonly object[]][] = [
  ['the form of a pipeline', 200, builtInSchema.form],
  ['adapters', 14, platforms.map(({ name }) => adapters.get(name))],
  ['the model API', 2, [{ ...labelOf(modelApi), description: modelApi.description }]],
  ['requesters', 100, new RequesterService(new Registry(modelRequesters)).list()],
  ['engines', 40, knowledge.engines()],
  ['parsers', 20, knowledge.parsers()],
  ['runners', 9, createRunners({ modelTimeoutMs: 1000 }).map(labelOf)],
  ['stages', 12, createStages({ sensitiveWords: neverAsked, fontDirectory: '' }).map(labelOf)],
];

describe.each(lists)('%s', (list, least, described) => {
  const texts = textsIn(described);

  it('have their texts in English, Simplified Chinese and Japanese, in this order', () => {
    expect(texts.length).toBeGreaterThanOrEqual(least);
    const incomplete = texts.filter(([place, text]) => !isWhole(text) && !isBrand(list, place, text));
    expect(incomplete).toEqual([]);
  });
});

function isWhole(text: I18nText): boolean {
  return (
    Object.keys(text).join() === 'en_US,zh_Hans,ja_JP' && Object.values(text).every((words) => words.trim() !== '')
  );
}

/** What a provider is called may be the same everywhere. */
function isBrand(list: string, place: string, text: I18nText): boolean {
  return list === 'requesters' && /^[\w.-]+ label$/.test(place) && Object.keys(text).join() === 'en_US';
}

/** Every text at or below the value, with its place. */
function textsIn(value: unknown, place: string[] = []): [place: string, text: I18nText][] {
  if (typeof value !== 'object' || value === null) return [];
  if ('en_US' in value) return [[place.join(' '), value as I18nText]];
  return Object.entries(value).flatMap(([key, part]) => textsIn(part, [...place, nameOf(part) ?? key]));
}

/** Says more than a place in a list. */
function nameOf(value: unknown): string | null {
  const { name, plugin_id } = (value ?? {}) as { name?: unknown; plugin_id?: unknown };
  return [name, plugin_id].find((known) => typeof known === 'string') ?? null;
}
