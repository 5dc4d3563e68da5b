import type * as english from '../en/citations.ts';
import type { Texts } from '../texts.ts';

export const citations: Texts<typeof english.citations> = {
  title: '出典',
  open: '出典{{number}}を開く',
  close: '出典を閉じる',
  previous: '前の出典',
  next: '次の出典',
  position: '{{index}} / {{count}}',
  noSource: '出典の位置は不明です',
  openDocument: 'ドキュメントを開く',
  openReplacement: '現在のドキュメントを開く',
  text: 'ドキュメント内の該当箇所',
  page: '{{page}}ページ',
  pageOf: '{{document}}の{{page}}ページ',
  loadingPage: 'ページを読み込んでいます…',
  larger: '拡大',
  smaller: '幅に合わせる',
  notLocated: 'このページで該当する語句の位置を特定できませんでした。',
  why: '検索された理由',
  asked: '検索語句：',
  askedByModel: 'モデルの検索語句：',
  notRecorded: 'この箇所は記録されていません。',
  states: {
    reindexed: 'ドキュメントが再インデックスされ、テキストが変わりました。回答時点の箇所を表示しています。',
    replaced: 'ドキュメントは置き換えられました。回答時点の箇所を表示しています。',
    deleted: 'ドキュメントは削除されました。回答時点の箇所を表示しています。',
    baseDeleted: 'ナレッジベースは削除されました。回答時点の箇所を表示しています。',
  },
};
