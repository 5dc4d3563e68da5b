import type { paths } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { serverAddress } from '../../lib/server-address.ts';

/** The page of a plugin, as its routes name it. */
export type PagePath = paths['/api/v1/plugins/{author}/{name}/pages/{page}/frames']['post']['parameters']['path'];

/** The plugin of a page, and whether its process is paused. */
export function pagePluginQuery({ author, name }: Pick<PagePath, 'author' | 'name'>) {
  const params = { path: { author, name } };
  return queryOptions({
    queryKey: ['plugin-pages', author, name],
    queryFn: async () => {
      const [{ details }, { process }] = await Promise.all([
        api.get('/api/v1/plugins/{author}/{name}', { params }),
        api.get('/api/v1/plugins/{author}/{name}/state', { params }),
      ]);
      return { details, isPaused: process?.state === 'paused' };
    },
  });
}

/** An address for the frame of a page, which holds for a while. @param load another one has another address */
export function frameQuery(path: PagePath, load: number) {
  return queryOptions({
    queryKey: ['plugin-pages', path, load],
    queryFn: async () => {
      const frame = await api.post('/api/v1/plugins/{author}/{name}/pages/{page}/frames', { params: { path } });
      return serverAddress + frame.path;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}
