import type { I18nText } from '@parley/sdk';
import { choice, flag, group, i18n, optional, text, whole } from '@parley/sdk/fields';
import Type, { type Static } from 'typebox';

/** The tabs of a pipeline's configuration, in their order; extensions add groups and fields. */
export const tabs = {
  trigger: group(
    ['Trigger', '触发条件', 'トリガー'],
    ['Which messages the bot answers.', '决定哪些消息会得到回复。', 'どのメッセージに答えるかを決めます。'],
    {},
  ),
  safety: group(
    ['Safety', '安全控制', '安全対策'],
    ['Limits the content and frequency of messages.', '限制消息的内容和频率。', 'メッセージの内容と頻度を制限します。'],
    {},
  ),
  ai: group(
    ['AI', 'AI 能力', 'AI'],
    ['What generates the answer.', '生成回复的方式。', '回答を生成する方法です。'],
    {},
  ),
  output: group(
    ['Output', '输出处理', '出力'],
    ['How answers are sent.', '决定回复如何发送。', '回答の送り方を決めます。'],
    {},
  ),
};

/** What is sent when no answer can be given, and what answers show. */
export const answerSettings = group(['Other', '其他', 'その他'], null, {
  'exception-handling': choice(
    {
      'show-error': ['Error message', '显示错误信息', 'エラーの内容'],
      'show-hint': ['Custom text', '显示下方提示', '下のテキスト'],
      hide: ['No reply', '不回复', '何も送らない'],
    },
    'show-hint',
    ['When processing fails', '回复失败时', '回答に失敗したとき'],
    null,
  ),
  'failure-hint': text(
    'Request failed.',
    ['Failure text', '失败提示', '失敗時のテキスト'],
    [
      'Sent when processing fails, if “Custom text” is selected.',
      '选择显示提示时，回复失败后发送的内容。',
      '上で「下のテキスト」を選んだ場合に、回答に失敗すると送信します。',
    ],
    optional,
  ),

  'track-function-calls': flag(
    false,
    ['Show tool calls', '提示工具调用', 'ツール呼び出しの通知'],
    [
      'Sends a notice in the conversation when a tool is called.',
      '在对话中说明正在调用哪些工具。',
      'どのツールを呼び出したかを会話の中で知らせます。',
    ],
  ),
  'citation-links': flag(
    false,
    ['Links to cited passages', '引用段落的链接', '引用箇所へのリンク'],
    [
      'On messaging platforms, adds a link to each entry of the source list. Anyone with the link sees the cited passage, and nothing else, until it expires. Turning this off also disables links that were sent.',
      '在消息平台上，为来源列表的每一项附上链接。在链接过期之前，持有链接的任何人都能看到所引用的段落，但看不到其他内容。关闭后，已发送的链接也会失效。',
      'メッセージングプラットフォームで、出典の一覧の各項目にリンクを付けます。期限が切れるまで、リンクを知っている人は誰でも引用箇所だけを見ることができます。オフにすると、送信済みのリンクも無効になります。',
    ],
    { 'x-requires': 'public_url' },
  ),
  'citation-link-days': whole(
    7,
    [1, 365],
    ['Link lifetime', '链接有效期', 'リンクの有効期間'],
    [
      'Days after which links to cited passages expire.',
      '单位为天；引用段落的链接在此之后过期。',
      '単位は日です。引用箇所へのリンクは、この期間が過ぎると無効になります。',
    ],
    { 'x-show-if': { field: 'citation-links', operator: 'eq', value: true } },
  ),
  'keep-model-requests': flag(
    false,
    ['Keep requests to models', '保留模型请求', 'モデルへのリクエストの保存'],
    [
      'Keeps each request to a model as it was sent, without secrets, for the message trace. It contains the prompt, the history and the passages found. Only admins can see it. Requests of draft chats are always kept.',
      '在消息追踪中保留发送给模型的每个请求（不含密钥），其中包括提示词、对话历史和检索到的段落。只有管理员可以查看。草稿对话的请求始终保留。',
      'メッセージのトレース用に、モデルへ送信した各リクエストを秘密情報を除いて保存します。プロンプト、履歴、見つかった箇所を含みます。閲覧できるのは管理者だけです。下書きのチャットのリクエストは常に保存します。',
    ],
    { 'x-advanced': true },
  ),
  'model-request-days': whole(
    7,
    [1, 90],
    ['Request retention', '请求保留期', 'リクエストの保存期間'],
    [
      'Days after which kept requests to models are deleted; earlier if the message is deleted.',
      '单位为天；保留的模型请求在此之后删除，消息被删除时一并删除。',
      '単位は日です。保存したリクエストは、この期間が過ぎるか、メッセージが削除されると削除します。',
    ],
    { 'x-show-if': { field: 'keep-model-requests', operator: 'eq', value: true }, 'x-advanced': true },
  ),
});

export type AnswerSettings = Static<typeof answerSettings>;

/** The group for the choice of the runner. @param runners in the order in which they are offered, the default first */
export function runnerChoice(runners: readonly { name: string; label: I18nText }[]) {
  return group(
    ['Runner', '运行器', 'ランナー'],
    ['What generates the answer.', '生成回复的方式。', '回答を生成する方法です。'],
    {
      runner: Type.String({
        default: runners[0]?.name ?? '',
        minLength: 1,
        maxLength: 255,
        'x-form': 'select',
        'x-label': i18n(['Runner', '运行器', 'ランナー']),
        'x-options': Object.fromEntries(runners.map(({ name, label }) => [name, label])),
        description: 'The built-in agent or an external service.',
        'x-help': i18n([
          'The built-in agent or an external service.',
          '内置智能体，或外部服务。',
          '内蔵エージェント、または外部のサービスです。',
        ]),
      }),
    },
  );
}
