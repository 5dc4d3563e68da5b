import { randomUUID } from 'node:crypto';
import { Refusal } from './refusal.ts';

type State = 'pending' | 'scanned' | 'denied' | 'expired' | 'done';

/** Codes with which users sign in. */
export class FakeLogins {
  readonly #granted: object;
  readonly #devices = new Map<string, { state: State; isSlowed: boolean }>();

  /** @param granted what the bot gets in the end */
  constructor(granted: object) {
    this.#granted = granted;
  }

  /** The user acts on the last code. */
  act(step: 'scan' | 'confirm' | 'refuse' | 'expire' | 'slow_down'): void {
    const device = [...this.#devices.values()].at(-1);
    if (device === undefined) throw new Error('There is no code');
    const states = { scan: 'scanned', confirm: 'done', refuse: 'denied', expire: 'expired' } as const;
    if (step === 'slow_down') device.isSlowed = true;
    else device.state = states[step];
  }

  begin(): object {
    const device = randomUUID();
    this.#devices.set(device, { state: 'pending', isSlowed: false });
    return { device, url: `https://login.invented.example/${device}`, expires_in: 600 };
  }

  /** A code gives its credentials once. */
  poll(id: unknown): object {
    const device = this.#devices.get(String(id));
    if (device === undefined) throw new Refusal(404, 'unknown_device', 'There is no such code');
    if (device.isSlowed) {
      device.isSlowed = false;
      return { state: 'slow_down' };
    }
    if (device.state !== 'done') return { state: device.state };
    device.state = 'expired';
    return { state: 'done', ...this.#granted };
  }
}
