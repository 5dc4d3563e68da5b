import { group, texts } from '@parley/sdk/fields';
import Type from 'typebox';

/** The group `trigger.ignore-rules` of a pipeline. */
export const ignoreRulesConfig = Type.Object({
  trigger: Type.Object({
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
          [],
          { 'x-patterns': true, 'x-advanced': true },
        ),
      },
    ),
  }),
});
