import autocannon, { type Options, type Result } from 'autocannon';

/** Asks as fast as answers come, from this process. @throws Error unless every answer is a 200 */
export async function load(options: Options): Promise<Result> {
  const result = await autocannon(options);
  const { errors, timeouts, non2xx } = result;
  if (errors + timeouts + non2xx > 0) {
    throw new Error(`Not every request was answered 200: ${JSON.stringify({ errors, timeouts, non2xx })}`);
  }
  return result;
}
