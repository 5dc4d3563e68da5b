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
