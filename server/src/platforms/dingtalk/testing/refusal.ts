import type { FakeFault } from '@parley/sdk/testing';

/** A refusal of the new host: a status, and a code in words. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, code: string, message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.body = { code, message, requestid: crypto.randomUUID(), ...more };
  }
}

/** A refusal of the old host and of session webhooks: status 200, and a number. */
export class OldRefusal extends Refusal {
  override readonly body: Record<string, unknown>;

  constructor(errcode: number, errmsg: string) {
    super(200, '', errmsg);
    this.body = { errcode, errmsg };
  }
}

/** @throws Refusal for a fault that takes the place of the call */
export function refuse(fault: FakeFault, isOld: boolean): void {
  const [number, text, refusal] = {
    refused: [
      40035,
      'missing parameter',
      new Refusal(400, 'invalidParameter.param', 'a parameter is not valid'),
    ] as const,
    unknown_target: [
      400013,
      'the group is dissolved',
      new Refusal(400, 'invalidParameter.openConversationId', 'not valid'),
    ] as const,
    missing_permission: [60011, 'no permission to use the API', permissionDenied('qyapi_robot_sendmsg')] as const,
    server_error: [-1, 'system busy', new Refusal(500, 'ServiceUnavailable', 'try again later')] as const,
  }[String(fault)] ?? [0, '', null];
  if (refusal !== null) throw isOld ? new OldRefusal(number, text) : refusal;
}

export function permissionDenied(scope: string): Refusal {
  const accessdenieddetail = { requiredScopes: [scope] };
  const code = 'Forbidden.AccessDenied.AccessTokenPermissionDenied';
  return new Refusal(403, code, 'the app has not the required permission', { accessdenieddetail });
}
