/** The registration of an app by a user who scans a code: RFC 8628, with the platform's own fields. */
export class FakeAccounts {
  readonly #appId: string;
  readonly #secret: () => string;
  #code: string | null = null;
  #decision: 'waiting' | 'confirm' | 'refuse' | 'expire' = 'waiting';
  #isSlowedDown = false;

  constructor(appId: string, secret: () => string) {
    this.#appId = appId;
    this.#secret = secret;
  }

  decide(step: 'scan' | 'confirm' | 'refuse' | 'expire' | 'slow_down'): void {
    if (step === 'slow_down') this.#isSlowedDown = true;
    else if (step !== 'scan') this.#decision = step;
  }

  /** Errors come with status 400. */
  ask(form: URLSearchParams): object {
    if (form.get('action') === 'begin') return this.#begin(form);
    if (form.get('device_code') !== this.#code) return { error: 'invalid_grant', error_description: 'unknown code' };
    if (this.#isSlowedDown) {
      this.#isSlowedDown = false;
      return { error: 'slow_down' };
    }
    switch (this.#decision) {
      case 'confirm':
        return {
          client_id: this.#appId,
          client_secret: this.#secret(),
          user_info: { open_id: 'ou_ada', tenant_brand: 'feishu' },
        };
      case 'refuse':
        return { error: 'access_denied', error_description: 'The user refused' };
      case 'expire':
        return { error: 'expired_token' };
      default:
        return { error: 'authorization_pending' };
    }
  }

  #begin(form: URLSearchParams): object {
    const needed = { archetype: 'PersonalAgent', auth_method: 'client_secret', request_user_info: 'open_id' };
    const isComplete = Object.entries(needed).every(([name, value]) => form.get(name) === value);
    if (!isComplete) return { error: 'invalid_request', error_description: 'a field is missing' };
    this.#code = crypto.randomUUID();
    this.#decision = 'waiting';
    return {
      device_code: this.#code,
      user_code: 'ABCD-EFGH',
      verification_uri: 'https://accounts.feishu.cn/device',
      verification_uri_complete: `https://accounts.feishu.cn/device?user_code=ABCD-EFGH`,
      interval: 1,
      expires_in: 600,
    };
  }
}
