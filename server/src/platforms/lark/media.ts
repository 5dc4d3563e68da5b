import { ParleyError } from '@parley/sdk';
import { LarkFailure } from './failure.ts';
import type { LarkApi, Tokens } from './lark-api.ts';
import type { MediaPlace } from './parse-content.ts';

/**
 * @param value a {@link MediaPlace}
 * @throws ParleyError `not_found`; LarkFailure when a retry may succeed
 */
export async function fetchMedia(
  value: unknown,
  { api, tokens, signal }: { api: LarkApi; tokens: Tokens; signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array>> {
  const { message_id, key, type } = value as MediaPlace;
  const path = `/open-apis/im/v1/messages/${encodeURIComponent(message_id)}/resources/${encodeURIComponent(key)}?type=${type}`;
  try {
    const response = await api.download(path, { tokens, signal });
    if (response.body === null) throw new ParleyError('empty_file', 'The file has no content');
    return response.body;
  } catch (error) {
    const isLost = error instanceof LarkFailure && error.kind === 'refused';
    throw isLost ? new ParleyError('not_found', error.message) : error;
  }
}
