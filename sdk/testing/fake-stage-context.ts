import type { Static, TObject } from 'typebox';
import { Default } from 'typebox/value';
import type { PipelineMessage, Stage, StageContext } from '../src/stage.ts';
import { silentLogger } from './silent-logger.ts';

/** Some of the fields of a stage's settings; a list replaces the whole list. */
export type PartialConfig = Record<string, Record<string, Record<string, unknown>>>;

/** The settings of a stage: the defaults, with some fields of one's own. */
function completeConfig(schema: TObject | undefined, partial: PartialConfig): Record<string, unknown> {
  const defaults = Object.fromEntries(
    Object.entries((schema?.properties ?? {}) as Record<string, TObject>).map(([tab, { properties }]) => [
      tab,
      Object.fromEntries(
        Object.entries(properties as Record<string, TObject>).map(([group, fields]) => [group, Default(fields, {})]),
      ),
    ]),
  );
  return merge(defaults, partial) as Record<string, unknown>;
}

function merge(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over === undefined ? base : over;
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) merged[name] = merge(base[name], value);
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A message for stages: a private one that says hello, unless overridden. */
export function pipelineMessage(over: Partial<PipelineMessage> = {}): PipelineMessage {
  return {
    uuid: '00000000-0000-7000-8000-00000000000a',
    bot_uuid: '00000000-0000-7000-8000-000000000001',
    pipeline_uuid: '00000000-0000-7000-8000-000000000002',
    conversation_uuid: '00000000-0000-7000-8000-000000000003',
    session_type: 'person',
    session_id: 'ada',
    thread_id: '',
    sequence: 1,
    platform_message_id: '1',
    sender_id: 'ada',
    sender_name: 'Ada',
    facts: {},
    message_chain: [{ type: 'Plain', text: 'Hello' }],
    created_at: '2026-01-01T00:00:00.000Z',
    ...over,
  };
}

export interface FakeStageContextOptions extends Partial<Omit<StageContext, 'config' | 'now'>> {
  config?: PartialConfig;
  /** Messages that wait after this one. Default: none. */
  waiting?: readonly PipelineMessage[];
  /** Milliseconds since 1970, or a clock. Default: ten seconds after the message of {@link pipelineMessage} was stored. */
  now?: number | (() => number);
}

/** A context that counts in memory, as the server does in its database. */
export interface FakeStageContext<Config = Record<string, unknown>> extends StageContext<Config> {
  /** Event counts, by key. */
  counts: Map<string, { windowStart: number; count: number }>;
  /** The texts of files that were stored, by their path. */
  media: Map<string, string>;
}

/** Creates a context of a stage for one message; contexts that share `counts` share event counts. */
export function fakeStageContext<Config extends TObject>(
  stage: Pick<Stage<Config>, 'config'>,
  { config = {}, waiting = [], now = Date.parse('2026-01-01T00:00:10.000Z'), ...over }: FakeStageContextOptions = {},
  counts: FakeStageContext['counts'] = new Map(),
): FakeStageContext<Static<Config>> {
  const media = new Map<string, string>();
  return {
    counts,
    media,
    config: completeConfig(stage.config, config) as Static<Config>,
    botAccountId: 'bot',
    isCommand: () => false,
    platform: { text_limit: null, elements: ['Plain', 'At', 'Image', 'Quote'] },
    now: typeof now === 'number' ? () => now : now,
    logger: silentLogger,
    signal: new AbortController().signal,
    waitingMessages: async () => [...waiting],
    async countEvent(key, windowStart, limit) {
      const before = counts.get(key);
      const count = before === undefined || windowStart > before.windowStart ? 1 : before.count + 1;
      if (count > limit) return limit + 1;
      counts.set(key, { windowStart: Math.max(windowStart, before?.windowStart ?? windowStart), count });
      return count;
    },
    async storeMedia(name, content) {
      const path = `media-${media.size + 1}`;
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of content) text += decoder.decode(chunk, { stream: true });
      media.set(path, text);
      return { path, name, size: new TextEncoder().encode(text).length, media_type: 'text/plain' };
    },
    ...over,
  };
}
