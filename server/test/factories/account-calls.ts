import { expect } from 'vitest';
import type { TestAnswer, TestService } from './start-test-service.ts';

/** Requests of the first account of a service, which may be started later. */
export function accountCalls(service: () => TestService) {
  const request = (method: string, url: string, json?: unknown): Promise<TestAnswer> => {
    const { account, request: send } = service();
    return send({ method, url, bearer: account.token, ...(json === undefined ? {} : { json }) });
  };
  return {
    request,
    /** @returns the data of the answer, which must be a success */
    async ok(method: string, url: string, json?: unknown) {
      const { status, text, body } = await request(method, url, json);
      expect(status, text).toBe(200);
      return body.data;
    },
    /** @returns status, reason and first invalid field */
    async refused(method: string, url: string, json?: unknown) {
      const { status, body } = await request(method, url, json);
      return [status, body.reason, body.details?.[0]?.path];
    },
  };
}
