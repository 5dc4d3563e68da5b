import Type, { type Static } from 'typebox';

/** A text in several languages; English is always there. */
export const I18nText = Type.Object(
  {
    en_US: Type.String(),
    zh_Hans: Type.Optional(Type.String()),
    zh_Hant: Type.Optional(Type.String()),
    ja_JP: Type.Optional(Type.String()),
    th_TH: Type.Optional(Type.String()),
    vi_VN: Type.Optional(Type.String()),
    es_ES: Type.Optional(Type.String()),
  },
  { title: 'I18nText' },
);
export type I18nText = Static<typeof I18nText>;
