import { expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

it('says that the process lives and whether it can serve', async () => {
  const service = await startTestService({ account: false, listen: false });
  try {
    const alive = await service.request({ url: '/healthz' });
    expect(alive.status).toBe(200);
    expect(alive.body).toEqual({ code: 0, msg: 'ok' });
    const early = await service.request({ url: '/readyz' });
    expect(early.status).toBe(503);
    expect(early.body).toMatchObject({ code: -1, reason: 'not_ready' });
    await service.service.start();
    const ready = await service.request({ url: '/readyz' });
    expect(ready.status).toBe(200);
    expect(ready.body).toEqual({ code: 0, msg: 'ok' });
  } finally {
    await service.stop();
  }
});
