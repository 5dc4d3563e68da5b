import { decimal, flag, group, optional, texts } from '@parley/sdk/fields';
import Type, { type Static } from 'typebox';

/** The group `trigger.group-respond-rules` of a pipeline. */
export const groupRulesConfig = Type.Object({
  trigger: Type.Object({
    'group-respond-rules': group(
      ['Group rules', '群聊响应规则', 'グループのルール'],
      [
        'A group message is answered if any of these rules matches. Private messages are always answered.',
        '群聊消息满足任意一条规则即得到回复；私聊消息不受限制。',
        'グループのメッセージは、いずれかに当てはまると答えます。個人のメッセージには常に答えます。',
      ],
      {
        at: flag(
          true,
          ['When mentioned', '被 @ 时', 'メンションされたとき'],
          ['The message mentions the bot.', '消息中 @ 了机器人。', 'メッセージにボットへのメンションがある場合です。'],
        ),
        'all-mentions': flag(
          false,
          ['Any mention', '各种提及', 'すべてのメンション'],
          [
            'Mentions of a role of the bot or of everyone, and replies to the bot count as well.',
            '提及机器人所属的角色、提及所有人以及回复机器人的消息也算作 @。',
            'ボットのロールや全員へのメンション、ボットへの返信も含めます。',
          ],
          { 'x-show-if': { field: 'at', operator: 'eq', value: true }, 'x-advanced': true },
        ),
        prefix: texts(
          ['Prefixes', '前缀', '接頭辞'],
          [
            'The text starts with one of these. The prefix is removed.',
            '消息以其中之一开头；回复前会去掉该前缀。',
            '本文がいずれかで始まる場合です。接頭辞は本文から取り除かれます。',
          ],
          ['ai'],
        ),
        regexp: texts(
          ['Regular expressions', '正则表达式', '正規表現'],
          [
            'The start of the text matches one of these. Look-around and back-references are not supported.',
            '消息从开头起匹配其中之一；不支持环视和反向引用。',
            '本文が先頭からいずれかに一致する場合です。先読み・後読みと後方参照は使えません。',
          ],
          [],
          { 'x-patterns': true, 'x-advanced': true },
        ),
        random: decimal(
          0,
          [0, 1],
          ['Random replies', '随机概率', '確率'],
          [
            'Probability of answering a message at random, from 0 to 1.',
            '随机回复的消息所占比例，从 0 到 1。',
            'ランダムに答えるメッセージの割合です。0から1で指定します。',
          ],
          { ...optional, 'x-advanced': true },
        ),
      },
      { 'x-before': 'access-control' },
    ),
  }),
});
export type GroupRulesConfig = Static<typeof groupRulesConfig>;
