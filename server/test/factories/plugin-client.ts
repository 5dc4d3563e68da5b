import { vi } from 'vitest';
import { multipart, multipartType } from './multipart.ts';
import { type PackageChanges, packageFiles, pluginManifest, pluginPackage } from './plugin-package.ts';
import type { TestAnswer, TestService } from './start-test-service.ts';

/** A small plugin, of a version with permissions. */
export function smallPackage(
  version: string,
  { id = 'example/units', permissions = {}, ...changes }: PackageChanges & { id?: string; permissions?: object } = {},
): Buffer {
  const files = changes.files ?? packageFiles;
  const { settings, contributes, ...manifest } = pluginManifest(files);
  const small = { ...manifest, id, version, settings, contributes: { tools: contributes.tools }, permissions };
  return pluginPackage({ manifest: small, ...changes });
}

/** Requests about plugins, as an admin. */
export function pluginClient({ request, account }: TestService) {
  const call = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
    request({
      method,
      url: `/api/v1/plugins${path}`,
      bearer: account.token,
      headers,
      ...(json === undefined ? {} : { json }),
    });
  const upload = (path: string, content: Buffer, filename = 'units.lbpkg') =>
    request({
      method: 'POST',
      url: `/api/v1/plugins${path}`,
      bearer: account.token,
      headers: { 'content-type': multipartType },
      payload: multipart({ name: 'file', filename, type: 'application/zip', content }),
    });
  const ended = async ({ body }: TestAnswer) => {
    const url = `/api/v1/system/tasks/${body.data.task_id}`;
    return vi.waitFor(
      async () => {
        const task = (await request({ url, bearer: account.token })).body.data;
        if (!task.runtime.done) throw new Error(`the task is at "${task.task_context.current_action}"`);
        return task;
      },
      { timeout: 15_000 },
    );
  };
  return {
    call,
    upload,
    /** Waits for the task of an answer. */
    ended,
    inspect: async (content: Buffer) => (await upload('/inspect', content)).body.data?.package,
    install: async (content: Buffer, query = '') => ended(await upload(`/install/local${query}`, content)),
    details: async (id = 'example/units') => (await call('GET', `/${id}`)).body.data?.details,
  };
}
