import { setTimeout as pause } from 'node:timers/promises';
import { multipart, multipartType } from '../factories/multipart.ts';
import type { ConsoleVisit } from './console-visit.ts';

/** Installs a package with the consent to all that it asks for. */
export async function installPlugin(
  { address, token, call }: Pick<ConsoleVisit, 'address' | 'token' | 'call'>,
  content: Buffer,
): Promise<void> {
  const upload = async (path: string) => {
    const response = await fetch(`${address}/api/v1/plugins/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': multipartType },
      body: new Uint8Array(multipart({ name: 'file', filename: 'plugin.lbpkg', type: 'application/zip', content })),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers differ by their path
    const answer = (await response.json()) as any;
    if (!response.ok) throw new Error(`${path} was answered ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const { digest } = (await upload('inspect')).package;
  const { task_id } = await upload(`install/local?consent=true&digest=${digest}`);
  for (;;) {
    const { runtime } = await call('GET', `/api/v1/system/tasks/${task_id}`);
    if (runtime.done && runtime.exception) throw new Error(runtime.exception);
    if (runtime.done) return;
    await pause(50);
  }
}
