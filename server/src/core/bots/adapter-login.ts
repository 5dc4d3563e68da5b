import Type, { type Static } from 'typebox';
import { nullable, Timestamp } from '../../lib/schema-parts.ts';
import { AdapterConfig } from './bot.ts';

/** A sign-in that obtains the credentials of a bot. */
export const StartAdapterLogin = Type.Object({ adapter_config: AdapterConfig }, { additionalProperties: false });

export const AdapterLogin = Type.Object(
  {
    id: Type.String({ description: 'Send it as `login_id` with the configuration of the bot.' }),
    state: Type.Enum(['starting', 'waiting', 'confirming', 'done', 'expired', 'refused', 'cancelled'], {
      description:
        '`waiting`: open or scan `url`. `confirming`: it was scanned. `done`: `adapter_config` has the credentials.',
    }),
    url: nullable(Type.String(), 'A link to open, or to scan as a QR code.'),
    expires_at: nullable(Timestamp, 'When `url` expires.'),
    message: nullable(Type.String(), 'Why it was refused.'),
    adapter_config: nullable(
      Type.Record(Type.String(), Type.Unknown()),
      'The fields that it filled in. Secrets are masked; with `login_id`, a bot gets them.',
    ),
    account_id: nullable(Type.String(), "The bot's own id on the platform."),
    account_name: nullable(Type.String(), 'Display name on the platform.'),
  },
  { title: 'AdapterLogin' },
);
export type AdapterLogin = Static<typeof AdapterLogin>;
