import { ParleyError, problemError } from '@parley/sdk';
import Type from 'typebox';
import { Zero } from '../../envelope.ts';
import { storageUnavailable } from '../../storage-unavailable.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';

const Health = Type.Object({ code: Zero, msg: Type.Literal('ok') });

/** For load balancers: `/healthz` reports that the process is alive, `/readyz` that it can serve requests. */
export async function healthRoutes(
  server: TypedServer,
  { isServing, isDraining, checkStorage }: Pick<RouteServices, 'isServing' | 'isDraining' | 'checkStorage'>,
) {
  server.get(
    '/healthz',
    {
      config: { access: 'open' },
      schema: { summary: 'Whether the process is alive', response: { 200: Health } },
    },
    async () => ({ code: 0, msg: 'ok' }) as const,
  );

  server.get(
    '/readyz',
    {
      config: { access: 'open' },
      schema: {
        summary: 'Whether requests can be served',
        response: { 200: Health, 503: Type.Ref('ErrorResponse') },
      },
    },
    async () => {
      if (isDraining()) throw problemError('replica_draining');
      if (!isServing()) throw new ParleyError('not_ready', 'The server is starting or stopping');
      const trouble = await checkStorage();
      if (trouble !== null) throw storageUnavailable(trouble);
      return { code: 0, msg: 'ok' } as const;
    },
  );
}
