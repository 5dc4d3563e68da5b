import Type from 'typebox';
import { Bot } from '../../../core/bots/bot.ts';

export const BotParams = Type.Object({ bot_uuid: Type.String({ format: 'uuid' }) });
export const BotList = Type.Object({ bots: Type.Array(Bot) });

export const SendMessageBody = Type.Object(
  {
    target_type: Type.Enum(['person', 'group']),
    target_id: Type.Union(
      [
        Type.String({ minLength: 1, maxLength: 512 }),
        Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      ],
      { description: 'The user for `person`, the group for `group`. An integer is read as its text.' },
    ),
    // Each element is checked by its type afterwards, so that a fault names its exact place.
    message_chain: Type.Array(
      Type.Object({ type: Type.String() }, { title: 'MessageElement', additionalProperties: true }),
      { minItems: 1, description: 'A `Plain` element has a `text`.' },
    ),
  },
  { additionalProperties: false },
);

export const Sent = Type.Object({ sent: Type.Boolean() });
