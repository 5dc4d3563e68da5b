import Type from 'typebox';

const Position = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description });

export const LogQuery = Type.Object({
  start_page_number: Position('`end_page_number` of the last answer.'),
  start_offset: Position('`end_offset` of the last answer.'),
});
