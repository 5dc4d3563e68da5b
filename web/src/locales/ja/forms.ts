import type * as english from '../en/forms.ts';
import type { Texts } from '../texts.ts';

export const forms: Texts<typeof english.forms> = {
  requires: {
    public_url: '公開URLが設定されていないため、リンクを作成できません。`PARLEY_PUBLIC_URL` を設定してください。',
  },
  roles: { system: 'システム', user: 'ユーザー', assistant: 'アシスタント' },
  addMessage: 'メッセージを追加',
  fallback: '代替モデル{{number}}',
  addFallback: '代替モデルを追加',
  noKnowledgeBases: 'ナレッジベースはまだありません。',
  advanced: '詳細設定',
  variables: '変数',
  variablesText:
    '{{ と入力すると、利用者、プラットフォーム、日付、ナレッジを挿入できます。内蔵エージェントが値を入れます。',
  preview: 'プレビュー',
  previewText: 'いま届いたメッセージの場合の内容を例で示します。',
  tokens_one: '約{{number}}トークン（推定）',
  tokens_other: '約{{number}}トークン（推定）',
  variableTexts: {
    user: '送信者の名前',
    group: 'グループの名前（個人チャットでは空）',
    platform: 'プラットフォームの名前',
    date: 'メッセージの日付',
    time: 'メッセージの時刻',
    knowledge: 'ナレッジベースで見つかった箇所',
  },
  variableExamples: { user: '花子', group: '読書会', knowledge: '[質問に対して見つかった箇所]' },
};
