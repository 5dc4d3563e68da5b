import { choice, group, texts } from '@parley/sdk/fields';
import Type from 'typebox';

/** The group `trigger.access-control` of a pipeline. */
export const accessControlConfig = Type.Object({
  trigger: Type.Object({
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
          ['Mode', '模式', 'モード'],
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
  }),
});
