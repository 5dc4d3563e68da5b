import { setTimeout as delay } from 'node:timers/promises';
import { packageFiles, pluginManifest, pluginPackage } from '../../server/test/factories/plugin-package.ts';
import { type Caller, caller } from '../lib/program.ts';

/** Ids of plugins for {@link installPlugins}. */
export function pluginIds(amount: number): string[] {
  return Array.from({ length: amount }, (_, index) => `benchmark/plugin-${index}`);
}

/**
 * Installs plugins as an operator does, with consent: each has one listener of `received`, which lets every message pass.
 * @param key of an API key with the scope `admin`
 * @throws Error when one cannot be installed
 */
export async function installPlugins(address: string, key: string, ids: readonly string[]): Promise<void> {
  const service = caller(address, { 'x-api-key': key });
  for (const id of ids) {
    const content = passingPackage(id);
    const { package: inspected } = await upload(address, key, '/inspect', content);
    const { task_id } = await upload(address, key, `/install/local?digest=${inspected.digest}&consent=true`, content);
    await succeeded(service, task_id);
  }
}

/** Enables or disables plugins. */
export async function enablePlugins(
  address: string,
  key: string,
  { ids, enabled }: { ids: readonly string[]; enabled: boolean },
): Promise<void> {
  const service = caller(address, { 'x-api-key': key });
  for (const id of ids) await service.call('PUT', `/api/v1/plugins/${id}/enabled`, { enabled });
}

/** @returns calls of the processes of plugins since the service started */
export async function callsOf(address: string, key: string, ids: readonly string[]): Promise<number> {
  const service = caller(address, { 'x-api-key': key });
  const states = await Promise.all(ids.map((id) => service.call('GET', `/api/v1/plugins/${id}/state`)));
  return states.reduce((sum, { process }) => sum + (process?.calls ?? 0), 0);
}

function passingPackage(id: string): Buffer {
  const files = { ...packageFiles, 'main.js': 'export default { listeners: { received() {} } };\n' };
  const { settings: _, limits, permissions, ...manifest } = pluginManifest(files);
  return pluginPackage({ files, manifest: { ...manifest, id, contributes: { listeners: [{ point: 'received' }] } } });
}

// biome-ignore lint/suspicious/noExplicitAny: answers differ by their path
async function upload(address: string, key: string, path: string, content: Buffer): Promise<any> {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(content)], { type: 'application/zip' }), 'plugin.zip');
  const headers = { 'x-api-key': key };
  const response = await fetch(`${address}/api/v1/plugins${path}`, { method: 'POST', headers, body });
  const answer = (await response.json()) as { data: unknown };
  if (!response.ok) throw new Error(`POST ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer.data;
}

async function succeeded(service: Caller, task: number): Promise<void> {
  for (;;) {
    const { runtime } = await service.call('GET', `/api/v1/system/tasks/${task}`);
    if (runtime.done && runtime.exception !== null) throw new Error(`A plugin was not installed: ${runtime.exception}`);
    if (runtime.done) return;
    await delay(50);
  }
}
