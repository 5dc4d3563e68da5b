import Type from 'typebox';
import { Task, TaskList } from '../../../core/tasks/task.ts';

const greatestId = 2_147_483_647;

export const TaskParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: greatestId }) });

export const TaskQuery = Type.Object({
  type: Type.Optional(Type.String({ description: '`system` or `user`; empty for both.' })),
  kind: Type.Optional(Type.String({ description: 'Empty for all.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: all tasks.' })),
  cursor: Type.Optional(
    Type.Integer({ minimum: 0, maximum: greatestId, description: 'The `next_cursor` of the previous page.' }),
  ),
});

export { Task, TaskList };
