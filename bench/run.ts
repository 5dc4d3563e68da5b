import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bots } from './benchmarks/bots.ts';
import { chunkStore } from './benchmarks/chunk-store.ts';
import { consoleLoad } from './benchmarks/console.ts';
import { crash } from './benchmarks/crash.ts';
import { faults } from './benchmarks/faults.ts';
import { history } from './benchmarks/history.ts';
import { hostileTools } from './benchmarks/hostile-tools.ts';
import { knowledge } from './benchmarks/knowledge.ts';
import { memory } from './benchmarks/memory.ts';
import { messages } from './benchmarks/messages.ts';
import { messagesBeside } from './benchmarks/messages-beside.ts';
import { monitoring } from './benchmarks/monitoring.ts';
import { openRoutes } from './benchmarks/open-routes.ts';
import { overload } from './benchmarks/overload.ts';
import { pipelineRead } from './benchmarks/pipeline-read.ts';
import { plugins } from './benchmarks/plugins.ts';
import { reconnect } from './benchmarks/reconnect.ts';
import { replicas } from './benchmarks/replicas.ts';
import { retrieval } from './benchmarks/retrieval.ts';
import { slowConversation } from './benchmarks/slow-conversation.ts';
import { soak } from './benchmarks/soak.ts';
import { start } from './benchmarks/start.ts';
import { uploads } from './benchmarks/uploads.ts';
import { webhook } from './benchmarks/webhook.ts';
import type { Benchmark } from './lib/benchmark.ts';

const benchmarks: Record<string, Benchmark> = {
  'pipeline-read': pipelineRead,
  start,
  memory,
  bots,
  webhook,
  reconnect,
  uploads,
  messages,
  'messages-beside': messagesBeside,
  overload,
  'slow-conversation': slowConversation,
  history,
  monitoring,
  crash,
  faults,
  replicas,
  'hostile-tools': hostileTools,
  plugins,
  soak,
  retrieval,
  knowledge,
  'chunk-store': chunkStore,
  console: consoleLoad,
  'open-routes': openRoutes,
};

/** `npm run bench -- <name> [--argument value …]`: the last line printed is one JSON object with the figures. */
async function main([name = '', ...rest]: string[]): Promise<void> {
  const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined;
  if (benchmark === undefined) {
    console.error(`${name === '' ? 'Which benchmark?' : `There is no benchmark "${name}".`} These are known:`);
    for (const [
      known,
      { summary, defaults, choices = {}, folders = [], place, defaultPlace, severalPlaces },
    ] of Object.entries(benchmarks)) {
      const numbers = Object.entries(defaults).map(([key, value]) => `[--${key} ${value}]`);
      const words = Object.entries(choices).map(([key, values]) => `[--${key} ${values.join('|')}]`);
      const paths = folders.map((key) => `[--${key} <folder>]`);
      console.error(
        `  ${[known, ...(place === undefined ? [] : [defaultPlace === undefined ? `<${place}>${severalPlaces ? '…' : ''}` : `[${place}]`]), ...numbers, ...words, ...paths].join(' ')}`,
      );
      console.error(`      ${summary}`);
    }
    process.exitCode = 1;
    return;
  }
  const [numbers, chosen, ...places] = readArguments(rest, benchmark);
  const figures = await benchmark.run(numbers, chosen, ...places);
  console.log(JSON.stringify({ benchmark: name, ...chosen, ...figures }));
}

/** @throws Error naming the argument that is unknown, missing, not a positive whole number or not one of the choices */
function readArguments(
  given: string[],
  { defaults, choices = {}, folders = [], place, defaultPlace, severalPlaces = false }: Benchmark,
): [numbers: Record<string, number>, chosen: Record<string, string>, place: string, ...more: string[]] {
  const names = [...Object.keys(defaults), ...Object.keys(choices), ...folders];
  const options = Object.fromEntries(names.map((key) => [key, { type: 'string' as const }]));
  const { values, positionals } = parseArgs({ args: given, options, allowPositionals: place !== undefined });
  const least = place === undefined || defaultPlace !== undefined ? 0 : 1;
  if (positionals.length < least || (positionals.length > 1 && !severalPlaces)) {
    throw new Error(`Which ${place}? Name ${severalPlaces ? 'one or more' : 'one'}.`);
  }
  const numbers = { ...defaults };
  const chosen = Object.fromEntries([
    ...Object.entries(choices).map(([key, [first]]) => [key, first]),
    ...folders.map((key) => [key, '']),
  ]);
  for (const [key, text] of Object.entries(values)) {
    const allowed = choices[key];
    if (allowed !== undefined) {
      if (!allowed.includes(String(text))) throw new Error(`--${key} must be one of ${allowed.join(', ')}`);
      chosen[key] = String(text);
      continue;
    }
    if (folders.includes(key)) {
      chosen[key] = resolve(String(text));
      continue;
    }
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${key} must be a positive whole number`);
    numbers[key] = number;
  }
  const [first = defaultPlace ?? '', ...more] = positionals;
  return [numbers, chosen, first, ...more];
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
