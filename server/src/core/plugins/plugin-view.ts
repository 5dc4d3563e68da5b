import { I18nText, type PluginManifest, PluginPoint } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { nullable, Timestamp } from '../../lib/schema-parts.ts';

const closed = { additionalProperties: false } as const;
const Digest = Type.String({ description: 'SHA-256 of the package, in hexadecimal.' });
const Signer = nullable(
  Type.String(),
  'Fingerprint of the key that signed it: SHA-256, in hexadecimal. Null for an unsigned one.',
);

export const PluginPermission = Type.Object(
  {
    kind: Type.String({ description: 'A field of `permissions`, `fetch_setting`, or a kind of contributions.' }),
    value: Type.String({ description: 'A host, a setting, a point; empty where there is one.' }),
    text: Type.String({ description: 'An English sentence.' }),
  },
  { title: 'PluginPermission' },
);
const Permissions = Type.Array(PluginPermission);

const ListDifference = Type.Object({ added: Type.Array(Type.String()), removed: Type.Array(Type.String()) });

export const PackageInspection = Type.Object(
  {
    manifest: Type.Unsafe<PluginManifest>(
      Type.Record(Type.String(), Type.Unknown(), { description: 'The content of `parley-plugin.json`.' }),
    ),
    contributions: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Names of what it adds, by kind.',
    }),
    permissions: Permissions,
    signature: nullable(
      Type.Object({ algorithm: Type.Literal('ed25519'), public_key: Type.String(), fingerprint: Type.String() }),
      'Null where it is not signed. That a key is of the author cannot be known from the package.',
    ),
    digest: Digest,
    size: Type.Integer({ description: 'Bytes of the package.' }),
    unpacked_size: Type.Integer({ description: 'Bytes of its files.' }),
    files: Type.Integer({ description: 'Number of its files.' }),
    differences: nullable(
      Type.Object({
        installed_version: Type.String(),
        permissions: Type.Object({ added: Permissions, removed: Permissions }),
        contributions: Type.Record(Type.String(), ListDifference),
        settings: ListDifference,
        signer_changed: Type.Boolean(),
        is_downgrade: Type.Boolean(),
        is_same_version: Type.Boolean(),
      }),
      'From the installed version; null when none is installed.',
    ),
  },
  { title: 'PackageInspection' },
);
export type PackageInspection = Static<typeof PackageInspection>;

export const PluginGrantsSchema = Type.Object(
  {
    send: Type.Array(
      Type.Object(
        {
          bot_uuid: Type.String({ format: 'uuid' }),
          targets: nullable(
            Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 1000 }),
            'Ids of users and groups; null for all.',
          ),
        },
        closed,
      ),
      { maxItems: 1000, description: 'Bots that it may send messages by.' },
    ),
    models: Type.Array(Type.String({ format: 'uuid' }), { maxItems: 1000 }),
    knowledge: Type.Array(Type.String({ format: 'uuid' }), { maxItems: 1000, description: 'Knowledge bases.' }),
  },
  { title: 'PluginGrants', ...closed },
);

const Version = Type.Object(
  {
    version: Type.String(),
    digest: Digest,
    size: Type.Integer({ description: 'Bytes of the package.' }),
    signer: Signer,
    source: Type.Enum(['local', 'github', 'catalogue']),
    installed_at: Timestamp,
    permissions: Permissions,
    consent: nullable(
      Type.Object({ permissions: Permissions, at: Timestamp, by: Type.String() }),
      'What was consented to, by whom; null while nobody has.',
    ),
  },
  { title: 'PluginVersion' },
);
export type PluginVersionView = Static<typeof Version>;

export const PluginState = Type.Enum(['enabled', 'disabled', 'consent_required', 'damaged', 'fetching'], {
  description:
    '`consent_required`: it does not run before an admin consents. `damaged`: its files were changed or are gone. ' +
    '`fetching`: they are being fetched from the file store.',
});
export type PluginState = Static<typeof PluginState>;

export const PluginView = Type.Object(
  {
    id: Type.String({ description: '`author/name`' }),
    label: I18nText,
    state: PluginState,
    fault: nullable(Type.String(), 'What is wrong with its files.'),
    position: Type.Integer({ description: 'Its listeners are called in this order.' }),
    on_failure: Type.Enum(['pass', 'stop'], {
      description: 'What becomes of a message when a listener fails: it passes on, or ends.',
    }),
    grants: PluginGrantsSchema,
    installed: Version,
    update: nullable(
      Type.Object({ ...Version.properties, differences: PackageInspection.properties.differences }),
      'An update that waits for consent.',
    ),
    previous: nullable(Version, 'The version that a rollback returns to.'),
    expected_signer: Signer,
    listeners: Type.Array(PluginPoint),
    pages: Type.Array(Type.Object({ name: Type.String(), label: I18nText }), {
      description: 'Its pages of the console.',
    }),
  },
  { title: 'PluginDetails' },
);
export type PluginView = Static<typeof PluginView>;
