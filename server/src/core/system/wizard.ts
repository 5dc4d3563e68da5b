import { invalidFields } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { isDeeperThan } from '../../lib/nesting.ts';
import type { MetadataStore } from './metadata-store.ts';

/** How a user left the set-up wizard. */
export const WizardEnd = Type.Enum(['skipped', 'completed']);
export type WizardEnd = Static<typeof WizardEnd>;

/** Progress of a user in the wizard; its content is known to the page that shows it. */
export const WizardProgress = Type.Record(Type.String(), Type.Unknown());
export type WizardProgress = Static<typeof WizardProgress>;

/** Largest progress, bytes of its request. */
export const maximumProgressBytes = 64 * 1024;
/** Deeper nesting than any page needs can break programs that read it. */
const maximumDepth = 32;

/** The stored state of the wizard. */
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

  /** Records that it is done, and clears its progress. */
  async end(status: WizardEnd): Promise<void> {
    await this.#metadata.set('wizard_status', status);
    await this.#metadata.delete('wizard_progress');
  }

  /**
   * Replaces the stored progress.
   * @throws ParleyError `invalid_request`
   */
  async saveProgress(progress: WizardProgress): Promise<void> {
    if (isDeeperThan(progress, maximumDepth)) {
      throw invalidFields([{ path: '', message: `The progress may be nested at most ${maximumDepth} deep` }]);
    }
    await this.#metadata.set('wizard_progress', JSON.stringify(progress));
  }
}
