import Type, { type Static } from 'typebox';

/** A presence on a messaging platform, bound to a pipeline. */
export const Bot = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    name: Type.String(),
    description: Type.String(),
    adapter: Type.String({ description: 'Name of the platform.' }),
    adapter_config: Type.Record(Type.String(), Type.Unknown(), { description: 'Secrets are masked.' }),
    enable: Type.Boolean(),
    use_pipeline_name: Type.Union([Type.String(), Type.Null()]),
    use_pipeline_uuid: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Bot' },
);
export type Bot = Static<typeof Bot>;

/** A bot as it is stored: `adapter_config` masked, the secrets sealed beside it. */
export type StoredBot = Bot & { sealed_secrets: string | null };
