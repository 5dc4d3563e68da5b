import type { ParsedDocument, RemoteParser } from '@parley/sdk';
import { chunksOf } from '../../../lib/byte-chunks.ts';
import type { ActivePlugin } from '../active-plugin.ts';
import { hostFor, longestCall, type PluginCalls } from './plugin-calls.ts';

/** The parser of a plugin; none when it has none. */
export function parsersOf(plugin: ActivePlugin, calls: PluginCalls): RemoteParser[] {
  return (plugin.manifest.contributes.parsers ?? []).map(({ label, description, media_types, extensions }) => ({
    plugin_id: plugin.id,
    name: label,
    description,
    media_types,
    extensions,
    parse: async ({ bytes, ...file }, { signal, progress, ...limits }) => {
      const { answer } = hostFor(calls, plugin.id, null);
      const document = await calls.caller.call({
        plugin: plugin.id,
        method: 'parser',
        parameters: {
          file,
          limits: {
            pages: limits.maximumPages,
            characters: limits.maximumCharacters,
            expanded_bytes: limits.maximumExpandedBytes,
          },
        },
        bytes: chunksOf(bytes),
        // The host of parsers ends the call earlier.
        timeoutMs: longestCall,
        signal,
        host: { answer, notify: (_, parameters) => reportProgress(parameters, progress) },
      });
      // The host of parsers checks it.
      return document as ParsedDocument;
    },
  }));
}

/** Ignores what is no progress. */
export function reportProgress(parameters: unknown, report: (done: number, total: number) => void): void {
  // Unchecked: either may be anything.
  const { done, total } = (parameters ?? {}) as { done?: unknown; total?: unknown };
  if (isCount(done) && isCount(total) && done <= total) report(done, total);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
