import { invalidFields } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { isDeeperThan } from '../../lib/nesting.ts';
import type { MetadataStore } from './metadata-store.ts';

/** How a person left the wizard that leads through the first steps. */
export const WizardEnd = Type.Enum(['skipped', 'completed']);
export type WizardEnd = Static<typeof WizardEnd>;

/** Where a person is in the wizard; what it holds is known to the page that shows it. */
export const WizardProgress = Type.Record(Type.String(), Type.Unknown());
export type WizardProgress = Static<typeof WizardProgress>;

/** Largest progress, bytes of its request. */
export const maximumProgressBytes = 64 * 1024;
/** What is nested deeper than any page needs can break programs that read it. */
const maximumDepth = 32;

/** What is remembered of the wizard. */
export class WizardService {
  readonly #metadata: MetadataStore;

  constructor(metadata: MetadataStore) {
    this.#metadata = metadata;
  }

  async read(): Promise<{ status: 'none' | WizardEnd; progress: WizardProgress | null }> {
    const status = await this.#metadata.get('wizard_status');
    const progress = await this.#metadata.get('wizard_progress');
    return {
      status: status === 'skipped' || status === 'completed' ? status : 'none',
      progress: progress === null ? null : (JSON.parse(progress) as WizardProgress),
    };
  }

  /** Remembers that it need not be shown again, and forgets where it was. */
  async end(status: WizardEnd): Promise<void> {
    await this.#metadata.set('wizard_status', status);
    await this.#metadata.delete('wizard_progress');
  }

  /**
   * Replaces what was remembered.
   * @throws ParleyError `invalid_request`
   */
  async saveProgress(progress: WizardProgress): Promise<void> {
    if (isDeeperThan(progress, maximumDepth)) {
      throw invalidFields([{ path: '', message: `The progress may be nested at most ${maximumDepth} deep` }]);
    }
    await this.#metadata.set('wizard_progress', JSON.stringify(progress));
  }
}
