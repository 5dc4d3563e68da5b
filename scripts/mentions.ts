import { readFileSync } from 'node:fs';

/**
 * Whether a file holds a name that does not go on: one with `GET /bots/{bot_uuid}` alone does not mention `GET /bots`,
 * one with `output.misc.at` alone does not mention `output.misc`.
 * @param file path from the root
 * @throws when there is no such file
 */
export function mentions(file: string, name: string): boolean {
  const [, ...after] = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split(name);
  return after.some((rest) => !/^(?:[\w{/-]|\.\w)/.test(rest));
}
