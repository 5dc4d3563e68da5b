import Type from 'typebox';
import { BotState, BotView, CreateBot, UpdateBot } from '../../../core/bots/bot.ts';
import { BotEventWindow } from '../../../core/bots/bot-event.ts';
import { listParameters, total } from '../../record-lists.ts';

export const BotParams = Type.Object({ bot_uuid: Type.String({ format: 'uuid' }) });
export const BotAnswer = Type.Object({ bot: BotView });
export const BotList = Type.Object({ bots: Type.Array(BotView), total });

export const botOrders = ['name', 'adapter', 'pipeline', 'enable', 'created_at', 'updated_at'] as const;
export const botFilters = {
  state: Type.Optional(BotState),
  enabled: Type.Optional(Type.Boolean()),
  adapter: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Name of the platform.' })),
  pipeline_uuid: Type.Optional(
    Type.String({ format: 'uuid', description: 'Of a pipeline that it uses, directly or by a routing rule.' }),
  ),
};
export const BotQuery = Type.Object(listParameters(botOrders, botFilters));
export const CreatedBot = Type.Object({ uuid: Type.String({ format: 'uuid' }) });

export const BotLogsBody = Type.Object(
  {
    from_index: Type.Optional(
      Type.Integer({
        default: -1,
        description: 'Number of the last requested entry; negative for the latest.',
      }),
    ),
    max_count: Type.Optional(Type.Integer({ default: 10, description: 'Number of entries, at most 200.' })),
  },
  { additionalProperties: false },
);

export const SendMessageBody = Type.Object(
  {
    target_type: Type.Enum(['person', 'group']),
    target_id: Type.Union(
      [
        Type.String({ minLength: 1, maxLength: 512 }),
        Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      ],
      {
        description:
          'The user for `person`, the group for `group`; with a thread where the platform has them, such as `<chat>#<topic>` for Telegram. An integer is converted to a string.',
      },
    ),
    // Each element is validated by its type afterwards, so that an error contains its exact path.
    message_chain: Type.Array(
      Type.Object({ type: Type.String() }, { title: 'MessageElement', additionalProperties: true }),
      { minItems: 1, description: 'A `Plain` element has a `text`.' },
    ),
  },
  { additionalProperties: false },
);

export const Sent = Type.Object({ sent: Type.Boolean() });
export { BotEventWindow, CreateBot, UpdateBot };
