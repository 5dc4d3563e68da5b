import type * as english from '../en/reference.ts';
import type { Texts } from '../texts.ts';

export const reference: Texts<typeof english.reference> = {
  introduction: 'このコンソールでできることはすべて、プログラムからHTTPで行えます。',
  browse: '対話式ドキュメントを開く',
  address: 'ベースアドレス',
  addressText: 'すべてのパスの先頭に付きます。',
  key: 'APIキーを使う',
  keyText: 'プログラム向けです。キーの権限はスコープで決まります。「APIキー」で作成してください。',
  token: 'ユーザーとして',
  tokenText: 'セッションなどアカウントに属するものには、サインインのトークンが必要です。',
  file: 'OpenAPIの記述',
  fileText: 'クライアント生成やテストのツール向けです。',
};
