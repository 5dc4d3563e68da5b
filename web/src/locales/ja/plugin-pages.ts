import type * as english from '../en/plugin-pages.ts';
import type { Texts } from '../texts.ts';

export const pluginPages: Texts<typeof english.pluginPages> = {
  page: 'プラグインのページ',
  toPlugin: '{{plugin}} に戻る',
  skip: 'プラグインのページをスキップ',
  origin: 'このページはプラグインのものです。コンソールやセッションにはアクセスできません。',
  reload: 'ページを再読み込み',
  paused: 'プラグインが何度もクラッシュしたため、数分間停止しています。その間、ページのリクエストは失敗します。',
  states: {
    disabled: 'プラグインは無効です。ページを開くには有効にしてください。',
    consent_required: 'ページを開くには、管理者によるプラグインへの同意が必要です。',
    damaged: 'プラグインのファイルが変更されています。ページを開くには再インストールしてください。',
    fetching: 'プラグインのファイルをファイルストアから取得しています。しばらくしてから再読み込みしてください。',
  },
  ends: {
    left: 'ページが別のアドレスへ移動しようとしたため、接続を切断しました。',
    broken: 'ページが過剰または無効なメッセージを送信したため、接続を切断しました。',
    signedOut: 'セッションが終了したため、ページの接続を切断しました。',
  },
};
