import { choice, decimal, flag, group, optional, texts } from './config-fields.ts';

/** The tab for which messages are answered. */
export const triggerConfig = group(
  ['Trigger', '触发条件', 'トリガー'],
  ['Which messages the bot answers.', '决定哪些消息会得到回复。', 'どのメッセージに答えるかを決めます。'],
  {
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
          optional,
        ),
      },
    ),
    'access-control': group(
      ['Access', '访问控制', 'アクセス制御'],
      [
        'Write conversations as `person_<id>` or `group_<id>` (includes all topics of the group). `person_*` and `group_*` match all of a type, `*_<id>` a user in any conversation.',
        '会话写作 `person_<id>` 或 `group_<id>`（包括该群的所有话题）；`person_*`、`group_*` 表示该类全部会话，`*_<id>` 表示任意会话中的该用户。',
        '会話は `person_<id>` または `group_<id>`（グループのすべてのトピック）と書きます。`person_*` と `group_*` はその種類のすべての会話、`*_<id>` はすべての会話でのその人を表します。',
      ],
      {
        mode: choice(
          {
            blacklist: ['Blocklist', '黑名单', 'ブラックリスト'],
            whitelist: ['Allowlist', '白名单', 'ホワイトリスト'],
          },
          'blacklist',
          ['Mode', '模式', 'ボットと話せる人'],
          [
            'Only the list of the selected mode applies.',
            '只有与所选模式对应的名单生效。',
            '選んだ方式のリストだけが使われます。',
          ],
        ),
        blacklist: texts(
          ['Blocklist', '黑名单', 'ブラックリスト'],
          ['Used in blocklist mode.', '在“黑名单”模式下使用。', '「ブラックリスト」を選んだときに使います。'],
        ),
        whitelist: texts(
          ['Allowlist', '白名单', 'ホワイトリスト'],
          ['Used in allowlist mode.', '在“白名单”模式下使用。', '「ホワイトリスト」を選んだときに使います。'],
        ),
      },
    ),
    'ignore-rules': group(
      ['Ignore rules', '忽略规则', '無視するルール'],
      [
        'Messages that match any of these are not answered, in groups and in private chats.',
        '符合任意一条的消息不予回复，私聊和群聊均适用。',
        'いずれかに当てはまるメッセージには、グループでも個人でも答えません。',
      ],
      {
        prefix: texts(
          ['Prefixes', '前缀', '接頭辞'],
          ['The text starts with one of these.', '消息以其中之一开头。', '本文がいずれかで始まる場合です。'],
        ),
        regexp: texts(
          ['Regular expressions', '正则表达式', '正規表現'],
          [
            'The text contains a match for one of these. Look-around and back-references are not supported.',
            '消息中任意位置匹配其中之一；不支持环视和反向引用。',
            '本文のどこかがいずれかに一致する場合です。先読み・後読みと後方参照は使えません。',
          ],
        ),
      },
    ),
    'message-aggregation': group(
      ['Message grouping', '消息合并', 'メッセージの結合'],
      [
        'Answers several messages sent in quick succession together.',
        '把短时间内接连发来的消息合在一起回复。',
        '短い間隔で続けて届いたメッセージに、まとめて答えます。',
      ],
      {
        enabled: flag(false, ['Group messages', '启用合并', 'メッセージを結合'], null),
        delay: decimal(
          1.5,
          [1, 10],
          ['Waiting time', '等待时间', '待ち時間'],
          [
            'Seconds without a new message before answering, from 1 to 10.',
            '多少秒内没有新消息才开始回复，从 1 到 10。',
            '次のメッセージが届かないことを確かめる秒数です。1から10で指定します。',
          ],
        ),
      },
    ),
    misc: group(['Other', '其他', 'その他'], null, {
      'combine-quote-message': flag(
        true,
        ['Include quoted messages', '合并引用内容', '引用を読み取る'],
        [
          'Treats the quoted message as part of the message.',
          '把消息所引用的内容作为消息的一部分。',
          'メッセージが引用している内容も、メッセージの一部として読み取ります。',
        ],
      ),
    }),
  },
);
