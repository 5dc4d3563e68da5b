import Type, { type Static } from 'typebox';

const fields = {
  words: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 10_000,
    description:
      'Each is a plain word, or a regular expression when it has one of `\\ . + * ? ( ) [ ] { } ^ $ |`. Capital letters count. At most 500 regular expressions.',
  }),
  mask: Type.String({
    minLength: 1,
    maxLength: 16,
    description:
      'Replaces each character of a word in an answer. If that would form another word of the list, another character is used.',
  }),
  mask_word: Type.String({ maxLength: 200, description: 'Replaces the entire word unless it is empty.' }),
};

export const SensitiveWords = Type.Object(fields, {
  title: 'SensitiveWords',
  description: 'Words that are blocked in messages and masked in answers of pipelines with the content filter.',
});
export type SensitiveWords = Static<typeof SensitiveWords>;

export const UpdateSensitiveWords = Type.Object(
  {
    words: Type.Optional(fields.words),
    mask: Type.Optional(fields.mask),
    mask_word: Type.Optional(fields.mask_word),
  },
  { additionalProperties: false },
);
export type UpdateSensitiveWords = Static<typeof UpdateSensitiveWords>;
