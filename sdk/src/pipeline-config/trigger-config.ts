import { choice, decimal, flag, group, optional, texts } from './config-fields.ts';

/** The tab that says which messages are answered. */
export const triggerConfig = group(
  ['Trigger', '触发条件'],
  ['Which messages are answered.', '决定哪些消息会得到回复。'],
  {
    'group-respond-rules': group(
      ['Rules for groups', '群聊响应规则'],
      [
        'A message in a group is answered when one of these holds. Private messages always are.',
        '群聊消息满足任意一条规则即得到回复；私聊消息不受限制。',
      ],
      {
        at: flag(true, ['When mentioned', '被 @ 时'], ['The message mentions the bot.', '消息中 @ 了机器人。']),
        prefix: texts(
          ['Prefixes', '前缀'],
          ['The text begins with one of these, which is then cut off.', '消息以其中之一开头；回复前会去掉该前缀。'],
          ['ai'],
        ),
        regexp: texts(
          ['Regular expressions', '正则表达式'],
          [
            'The text matches one of these from its start. Look-around and back-references are not possible.',
            '消息从开头起匹配其中之一；不支持环视和反向引用。',
          ],
        ),
        random: decimal(
          0,
          [0, 1],
          ['Chance', '随机概率'],
          ['Share of the messages that is answered by chance, from 0 to 1.', '随机回复的消息所占比例，从 0 到 1。'],
          optional,
        ),
      },
    ),
    'access-control': group(
      ['Access', '访问控制'],
      [
        'Conversations are written `person_<id>` or `group_<id>`, which means all topics of the group; `person_*` and `group_*` mean all of a kind, `*_<id>` a person anywhere.',
        '会话写作 `person_<id>` 或 `group_<id>`（包括该群的所有话题）；`person_*`、`group_*` 表示该类全部会话，`*_<id>` 表示任意会话中的该用户。',
      ],
      {
        mode: choice(
          { blacklist: ['All but some', '黑名单'], whitelist: ['Only some', '白名单'] },
          'blacklist',
          ['Who may talk to the bot', '模式'],
          ['Only the list that belongs to the choice counts.', '只有与所选模式对应的名单生效。'],
        ),
        blacklist: texts(['Not answered', '黑名单'], ['Used by “All but some”.', '在“黑名单”模式下使用。']),
        whitelist: texts(['Answered', '白名单'], ['Used by “Only some”.', '在“白名单”模式下使用。']),
      },
    ),
    'ignore-rules': group(
      ['Messages to pass over', '忽略规则'],
      [
        'A message for which one of these holds is not answered, in groups and in private.',
        '符合任意一条的消息不予回复，私聊和群聊均适用。',
      ],
      {
        prefix: texts(['Prefixes', '前缀'], ['The text begins with one of these.', '消息以其中之一开头。']),
        regexp: texts(
          ['Regular expressions', '正则表达式'],
          [
            'The text has a match for one of these. Look-around and back-references are not possible.',
            '消息中任意位置匹配其中之一；不支持环视和反向引用。',
          ],
        ),
      },
    ),
    'message-aggregation': group(
      ['Joining messages', '消息合并'],
      ['Messages that follow each other quickly are answered together.', '把短时间内接连发来的消息合在一起回复。'],
      {
        enabled: flag(false, ['Join messages', '启用合并'], null),
        delay: decimal(
          1.5,
          [1, 10],
          ['Silence to wait for', '等待时间'],
          ['Seconds without another message, from 1 to 10.', '多少秒内没有新消息才开始回复，从 1 到 10。'],
        ),
      },
    ),
    misc: group(['Other', '其他'], null, {
      'combine-quote-message': flag(
        true,
        ['Read quoted messages', '合并引用内容'],
        ['What a message quotes is read as part of it.', '把消息所引用的内容作为消息的一部分。'],
      ),
    }),
  },
);
