import { I18nText } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { FormField } from '../forms/form-fields.ts';

/** A platform as somebody who makes a bot sees it. */
export const Adapter = Type.Object(
  {
    name: Type.String({ description: "What a bot's `adapter` holds." }),
    label: I18nText,
    description: I18nText,
    icon: Type.String({ description: 'Name of the picture, which `…/{name}/icon` answers.' }),
    spec: Type.Object({
      categories: Type.Array(Type.String(), { description: '`popular`, `china`, `global`, `protocol`.' }),
      help_links: Type.Record(Type.String(), Type.String(), { description: 'By language: `en`, `zh`, `ja`.' }),
      config: Type.Array(FormField),
    }),
  },
  { title: 'Adapter' },
);
export type Adapter = Static<typeof Adapter>;
