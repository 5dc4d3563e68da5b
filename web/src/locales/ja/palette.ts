import type * as english from '../en/palette.ts';
import type { Texts } from '../texts.ts';

export const palette: Texts<typeof english.palette> = {
  title: '検索とコマンド',
  open: '検索',
  placeholder: 'ページへ移動、リソースを検索、コマンドを実行…',
  empty: '結果はありません。',
  pages: 'ページ',
  actions: '操作',
  providers: 'モデルプロバイダー',
  servers: 'MCPサーバー',
  newBot: '新しいボット',
  newPipeline: '新しいパイプライン',
  newBase: '新しいナレッジベース',
  theme: 'テーマ：{{name}}',
  language: '言語：{{name}}',
};
