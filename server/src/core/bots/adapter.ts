import { I18nText } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { FormField } from '../forms/form-fields.ts';
import { AdapterConfig, LoginId } from './bot.ts';

/** A platform as shown to users who create a bot. */
export const Adapter = Type.Object(
  {
    name: Type.String({ description: "The value of a bot's `adapter`." }),
    label: I18nText,
    description: I18nText,
    icon: Type.String({ description: 'Name of the picture, which `…/{name}/icon` answers.' }),
    spec: Type.Object({
      categories: Type.Array(Type.String(), { description: '`popular`, `china`, `global`, `protocol`.' }),
      help_links: Type.Record(Type.String(), Type.String(), { description: 'By language: `en`, `zh`, `ja`.' }),
      config: Type.Array(FormField),
      setup_steps: Type.Array(I18nText, {
        description: 'What to do on the platform before the configuration can be filled in, in order. Markdown.',
      }),
      login: Type.Optional(
        Type.Object(
          { label: I18nText, description: I18nText },
          { description: 'Credentials can be obtained by signing in with the platform.' },
        ),
      ),
      testable: Type.Boolean({ description: 'Whether a configuration can be tested before it is stored.' }),
    }),
  },
  { title: 'Adapter' },
);
export type Adapter = Static<typeof Adapter>;

/** A configuration that is to be tested, with secrets masked or in clear. */
export const TestAdapterConfig = Type.Object(
  {
    adapter_config: AdapterConfig,
    bot_uuid: Type.Optional(
      Type.String({ format: 'uuid', description: 'The bot whose stored secrets replace masked values.' }),
    ),
    login_id: LoginId,
  },
  { additionalProperties: false },
);
export type TestAdapterConfig = Static<typeof TestAdapterConfig>;

export const TestFinding = Type.Object(
  {
    level: Type.Enum(['error', 'warning']),
    field: Type.Optional(Type.String({ description: 'The field of the configuration that it is about.' })),
    text: I18nText,
  },
  { title: 'TestFinding', description: 'What is wrong with a configuration or its account, and what to do.' },
);

export const TestedAdapterConfig = Type.Object({
  account_id: Type.String({
    description: "The bot's own id on the platform; empty where the platform connects to the bot, and cannot be asked.",
  }),
  account_name: Type.Union([Type.String(), Type.Null()], { description: 'Display name on the platform.' }),
  findings: Type.Array(TestFinding, { description: 'Such as missing permissions.' }),
});
