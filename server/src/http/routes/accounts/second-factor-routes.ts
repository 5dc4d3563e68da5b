import { userOf } from '../../access.ts';
import { answers, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  DisableBody,
  EnableBody,
  ProposeBody,
  ProposedSecondFactor,
  RecoveryCodes,
  SecondFactorStatus,
} from './second-factor-schema.ts';

const reads = { credential: 'user', scope: 'read', role: 'member' } as const;
const writes = { credential: 'user', scope: 'write', role: 'member' } as const;
const url = '/api/v1/user/second-factor';

/** The second factor of an account. */
export async function secondFactorRoutes(server: TypedServer, { secondFactors }: Pick<RouteServices, 'secondFactors'>) {
  server.get(
    url,
    {
      config: { access: reads },
      schema: {
        summary: 'Whether signing in requires a second factor',
        response: answers(SecondFactorStatus, 401, 403),
      },
    },
    async (request) => success(await secondFactors.status(userOf(request).account.uuid)),
  );

  server.post(
    url,
    {
      // The response contains the secret.
      config: { access: writes, audit: 'account.begin-second-factor', idempotency: false },
      schema: {
        summary: 'Create a secret for an authenticator app; it is required once it is enabled',
        body: ProposeBody,
        response: answers(ProposedSecondFactor, 400, 401, 403, 409, 429),
      },
    },
    async (request) => {
      const { account } = userOf(request);
      request.auditNote = { record_id: account.uuid };
      return success(await secondFactors.propose(account, request.body.password, request.ip));
    },
  );

  server.post(
    `${url}/enable`,
    {
      config: { access: writes, audit: 'account.enable-second-factor', idempotency: false },
      schema: {
        summary: 'Require a code at each sign-in from now on; returns recovery codes, once',
        body: EnableBody,
        response: answers(RecoveryCodes, 400, 401, 403, 409),
      },
    },
    async (request) => {
      const { account } = userOf(request);
      request.auditNote = { record_id: account.uuid };
      return success({ recovery_codes: await secondFactors.enable(account, request.body.code) });
    },
  );

  server.post(
    `${url}/disable`,
    {
      config: { access: writes, audit: 'account.disable-second-factor', idempotency: false },
      schema: {
        summary: 'Disable the second factor',
        body: DisableBody,
        response: answers(Nothing, 400, 401, 403, 409, 429),
      },
    },
    async (request) => {
      const { account } = userOf(request);
      request.auditNote = { record_id: account.uuid };
      const { password, code } = request.body;
      await secondFactors.disable(account, { password, code }, request.ip);
      return success({});
    },
  );
}
