import { ParleyError } from '@parley/sdk';
import { objectOf, textOf } from '../../lib/loose-values.ts';
import type { DingTalkApi } from './dingtalk-api.ts';
import { asDeliveryError, means } from './failure.ts';

/**
 * Fetches a file of a stored message, from an address that the platform gives for its code.
 * @param value of a reference of `parseMessage`
 * @throws ParleyError `not_found`, `address_not_allowed`; any other error when a retry may succeed
 * @see https://open.dingtalk.com/document/orgapp/download-the-file-content-of-the-robot-receiving-message
 */
export async function fetchMedia(
  value: unknown,
  { api, robotCode, signal }: { api: DingTalkApi; robotCode: string; signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array>> {
  const json = { downloadCode: textOf(objectOf(value).code), robotCode };
  const path = '/v1.0/robot/messageFiles/download';
  const { downloadUrl } = await api.call({ path, json, isRepeatable: true }).catch((error: unknown) => {
    const { kind, message } = asDeliveryError(error);
    throw kind === 'refused' && !means(error, 'permission') ? new ParleyError('not_found', message) : error;
  });
  if (typeof downloadUrl !== 'string') throw new ParleyError('not_found', 'DingTalk gave no address for the file');
  return api.download(downloadUrl, signal);
}
