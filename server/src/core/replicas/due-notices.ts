import Type from 'typebox';
import { Signal } from '../../lib/signal.ts';
import { type DueWork, dueWorkKinds } from './due-work.ts';
import type { PeerNotices } from './peer-notices.ts';

/** Least time between two notices for all of one kind, milliseconds: the next beat shows the same. */
const interval = 1000;

/** Tells others that work waits for them or records have changed, and this replica of what others tell. */
export class DueNotices {
  readonly #notices: PeerNotices;
  readonly #told = new Map<DueWork | 'changed', number>();
  /** Others have stored work that may be for this replica. */
  readonly found = new Signal<DueWork>();
  /** Others have changed records. */
  readonly changesTold = new Signal<void>();

  constructor(notices: PeerNotices) {
    this.#notices = notices;
    notices.on<DueWork>('due', Type.Enum([...dueWorkKinds]), (work) => this.found.emit(work));
    notices.on('changed', Type.Null(), () => this.changesTold.emit());
  }

  /** Records were changed here, or work was given up: others see that with their next beat, which comes at once then. */
  changed(): void {
    if (this.#mayTell('changed')) this.#notices.tell('changed', null, { isRepeatable: true });
  }

  /** There is work that any replica may take. This one may have no room for it. */
  forAny(work: DueWork): void {
    if (this.#mayTell(work)) this.#notices.tell('due', work, { isRepeatable: true });
  }

  /** There is work that only one other replica takes. */
  forOne(work: DueWork, replica: string): void {
    this.#notices.tell('due', work, { to: replica, isRepeatable: true });
  }

  #mayTell(what: DueWork | 'changed'): boolean {
    if (!this.#notices.hasReceivers) return false;
    const present = performance.now();
    if (present < (this.#told.get(what) ?? Number.NEGATIVE_INFINITY) + interval) return false;
    this.#told.set(what, present);
    return true;
  }
}
