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
      'Stands for each character of a word in an answer. Where it would make another word of the list, another character does.',
  }),
  mask_word: Type.String({ maxLength: 200, description: 'Stands for the whole word unless it is empty.' }),
};

export const SensitiveWords = Type.Object(fields, {
  title: 'SensitiveWords',
  description: 'Words that messages may not hold and that are masked in answers, where a pipeline says so.',
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
