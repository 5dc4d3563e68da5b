import { vi } from 'vitest';
import { multipart, multipartType } from '../factories/multipart.ts';
import type { ConsoleVisit } from './console-visit.ts';

/** Installs a package over the API, by default with consent to everything that it asks for, so that it runs. */
export async function installPlugin(
  { address, token, call }: Pick<ConsoleVisit, 'address' | 'token' | 'call'>,
  content: Buffer,
  { consents = true }: { consents?: boolean } = {},
): Promise<void> {
  const upload = async (path: string) => {
    const body = multipart({ name: 'file', filename: 'plugin.zip', type: 'application/zip', content });
    const headers = { authorization: `Bearer ${token}`, 'content-type': multipartType };
    const response = await fetch(`${address}/api/v1/plugins${path}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    // Of either route.
    return ((await response.json()) as { data: { task_id: number; package: { digest: string } } }).data;
  };
  const { digest } = (await upload('/inspect')).package;
  const { task_id } = await upload(`/install/local?digest=${digest}&consent=${consents}`);
  await vi.waitFor(
    async () => {
      const { runtime } = await call('GET', `/api/v1/system/tasks/${task_id}`);
      if (!runtime.done) throw new Error('the task runs');
      if (runtime.exception !== null) throw new Error(`the plugin was not installed: ${runtime.exception}`);
    },
    { timeout: 20_000, interval: 200 },
  );
}
