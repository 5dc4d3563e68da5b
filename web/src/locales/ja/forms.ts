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
};
