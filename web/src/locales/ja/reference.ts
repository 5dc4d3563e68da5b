import type * as english from '../en/reference.ts';
import type { Texts } from '../texts.ts';

export const reference: Texts<typeof english.reference> = {
  introduction: 'このコンソールでできることはすべて、プログラムからHTTP APIで行えます。',
  browse: '対話型ドキュメントを開く',
  address: 'ベースURL',
  addressText: 'すべてのパスはこのURLからの相対パスです。',
  key: 'APIキー',
  keyText: 'プログラム用です。キーは付与された権限に限られます。「APIキー」で作成してください。',
  token: 'セッショントークン',
  tokenText: 'セッションなど、自分のアカウントのエンドポイント用です。サインインで取得します。',
  file: 'OpenAPI定義',
  fileText: 'クライアントジェネレーターとAPIツール用です。',
};
