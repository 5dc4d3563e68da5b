import Type, { type Static } from 'typebox';
import { nullable, Timestamp } from '../../lib/schema-parts.ts';
import { Role } from './role.ts';

/** What an API key may do: read, change, send messages, or manage keys and settings as well. */
export const Scope = Type.Enum(['read', 'write', 'send', 'admin']);
export type Scope = Static<typeof Scope>;

/** The default scopes of a key. */
export const defaultScopes: Scope[] = ['read', 'write', 'send'];

export const ApiKey = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    key: Type.String({ description: 'Masked; the full key is only in the response that created it.' }),
    description: Type.String(),
    scopes: Type.Array(Scope),
    account_uuid: nullable(
      Type.String({ format: 'uuid' }),
      'The account that made it or was handed it, and that it ends with; null for one of the installation.',
    ),
    account_name: nullable(Type.String()),
    account_role: nullable(
      Role,
      'The role of the account, which the key never exceeds; null for a key of the installation.',
    ),
    expires_at: nullable(Timestamp),
    last_used_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

/** Filters of the list of keys. */
export interface ApiKeyFilter {
  state?: 'valid' | 'expired' | undefined;
  /** It has this scope, and perhaps others. */
  scope?: Scope | undefined;
}

export const CreateApiKey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    description: Type.Optional(Type.String({ maxLength: 512 })),
    scopes: Type.Optional(Type.Array(Scope, { minItems: 1, maxItems: 4, uniqueItems: true })),
    expires_at: Type.Optional(nullable(Timestamp, 'Never expires when omitted.')),
  },
  { additionalProperties: false },
);
export type CreateApiKey = Static<typeof CreateApiKey>;

export const UpdateApiKey = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    description: Type.Optional(Type.String({ maxLength: 512 })),
  },
  { additionalProperties: false },
);
export type UpdateApiKey = Static<typeof UpdateApiKey>;
