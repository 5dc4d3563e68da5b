import Type, { type Static } from 'typebox';

/** Where models are reached: the kind of requester, the address and the keys. */
export const Provider = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    name: Type.String(),
    requester: Type.String({ description: 'Name of the requester kind that calls the provider.' }),
    base_url: Type.String(),
    api_keys: Type.Array(Type.String(), { description: 'Masked.' }),
    llm_count: Type.Integer({ description: 'Number of LLM models that use this provider.' }),
    embedding_count: Type.Integer({ description: 'Number of embedding models that use this provider.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'ModelProvider' },
);
export type Provider = Static<typeof Provider>;

/** A provider as it is stored: masked keys to show, sealed keys to use. */
export type StoredProvider = Omit<Provider, 'llm_count' | 'embedding_count'> & { sealed_secrets: string | null };

export const CreateProvider = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    requester: Type.String({ minLength: 1, maxLength: 255 }),
    base_url: Type.String({ maxLength: 512 }),
    api_keys: Type.Optional(Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 100 })),
  },
  { additionalProperties: false },
);
export type CreateProvider = Static<typeof CreateProvider>;
