import Type, { type Static } from 'typebox';
import { nullable } from '../../lib/schema-parts.ts';
import { WizardProgress, type WizardService } from './wizard.ts';

/** Version of the API description that this server implements. */
export const apiVersion = '4.9.5';

export const SystemInfo = Type.Object(
  {
    version: Type.String(),
    debug: Type.Boolean(),
    edition: Type.String(),
    enable_marketplace: Type.Boolean(),
    cloud_service_url: Type.String(),
    allow_modify_login_info: Type.Boolean(),
    disable_models_service: Type.Boolean(),
    limitation: Type.Object({
      max_bots: Type.Integer(),
      max_pipelines: Type.Integer(),
      max_extensions: Type.Integer(),
    }),
    public_url: nullable(
      Type.String(),
      'Address of the server for users and platforms, without a slash at its end; null if none is set, and for callers without a credential that may read.',
    ),
    wizard_status: Type.Enum(['none', 'skipped', 'completed']),
    wizard_progress: nullable(WizardProgress, 'Null for callers without a credential that may read.'),
  },
  { title: 'SystemInfo' },
);
export type SystemInfo = Static<typeof SystemInfo>;

/** The public settings. */
export interface SystemInfoOptions {
  allowModifyLoginInfo: boolean;
  publicUrl: string | null;
  /** How many records of a kind there may be; -1 for no limit. */
  maxBots: number;
  maxPipelines: number;
  maxExtensions: number;
}

/** Data about the server for the start page of a client. */
export class SystemInfoService {
  readonly #wizard: WizardService;
  readonly #options: SystemInfoOptions;

  constructor(wizard: WizardService, options: SystemInfoOptions) {
    this.#wizard = wizard;
    this.#options = options;
  }

  /** @param isKnown whether the caller has a credential; the address and the state of the wizard are hidden from others */
  async read(isKnown: boolean): Promise<SystemInfo> {
    const { allowModifyLoginInfo, publicUrl, maxBots, maxPipelines, maxExtensions } = this.#options;
    const wizard = await this.#wizard.read();
    return {
      version: `v${apiVersion}`,
      debug: false,
      edition: 'community',
      enable_marketplace: false,
      // Clients of the reference system call unrelated paths when this is empty; a reserved name leads nowhere.
      cloud_service_url: 'https://cloud.invalid',
      allow_modify_login_info: allowModifyLoginInfo,
      disable_models_service: true,
      limitation: { max_bots: maxBots, max_pipelines: maxPipelines, max_extensions: maxExtensions },
      public_url: isKnown ? publicUrl : null,
      wizard_status: wizard.status,
      wizard_progress: isKnown ? wizard.progress : null,
    };
  }
}
