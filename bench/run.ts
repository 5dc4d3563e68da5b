import { parseArgs } from 'node:util';
import { memory } from './benchmarks/memory.ts';
import { pipelineRead } from './benchmarks/pipeline-read.ts';
import { start } from './benchmarks/start.ts';
import { uploads } from './benchmarks/uploads.ts';
import type { Benchmark } from './lib/benchmark.ts';

const benchmarks: Record<string, Benchmark> = { 'pipeline-read': pipelineRead, start, memory, uploads };

/** `npm run bench -- <name> [--argument value …]`: the last line printed is one JSON object with the figures. */
async function main([name = '', ...rest]: string[]): Promise<void> {
  const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined;
  if (benchmark === undefined) {
    console.error(`${name === '' ? 'Which benchmark?' : `There is no benchmark "${name}".`} These are known:`);
    for (const [known, { summary, defaults }] of Object.entries(benchmarks)) {
      console.error(`  ${[known, ...Object.entries(defaults).map(([key, value]) => `[--${key} ${value}]`)].join(' ')}`);
      console.error(`      ${summary}`);
    }
    process.exitCode = 1;
    return;
  }
  const figures = await benchmark.run(readNumbers(rest, benchmark.defaults));
  console.log(JSON.stringify({ benchmark: name, ...figures }));
}

/** @throws Error naming the argument that is unknown or not a positive whole number */
function readNumbers(given: string[], defaults: Record<string, number>): Record<string, number> {
  const options = Object.fromEntries(Object.keys(defaults).map((key) => [key, { type: 'string' as const }]));
  const { values } = parseArgs({ args: given, options });
  const numbers = { ...defaults };
  for (const [key, text] of Object.entries(values)) {
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${key} must be a positive whole number`);
    numbers[key] = number;
  }
  return numbers;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
