import { SystemInfo } from '../../../core/system/system-info.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';

export async function systemRoutes(server: TypedServer, { systemInfo }: Pick<RouteServices, 'systemInfo'>) {
  server.get(
    '/api/v1/system/info',
    {
      config: { access: 'open' },
      schema: { tags: ['system'], summary: 'Version and settings of the server', response: answers(SystemInfo) },
    },
    async () => success(await systemInfo.read()),
  );
}
