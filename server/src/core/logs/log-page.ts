import Type, { type Static } from 'typebox';

export const LogPage = Type.Object(
  {
    logs: Type.String({
      description:
        'One line for each entry, each ended by a newline: `[MM-DD HH:MM:SS.mmm] file (line) - [LEVEL] : message`, in UTC.',
    }),
    end_page_number: Type.Integer({ minimum: 0 }),
    end_offset: Type.Integer({ minimum: 0 }),
  },
  { title: 'LogPage' },
);
export type LogPage = Static<typeof LogPage>;
