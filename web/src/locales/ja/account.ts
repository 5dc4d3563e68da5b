import type * as english from '../en/account.ts';
import type { Texts } from '../texts.ts';

export const account: Texts<typeof english.account> = {
  user: 'メールアドレスまたはユーザー名',
  password: 'パスワード',
  newPassword: '新しいパスワード',
  repeatPassword: 'パスワードの再入力',
  showPassword: 'パスワードを表示',
  hidePassword: 'パスワードを隠す',
  passwordRule: '8文字以上。',
  passwordTooShort: '8文字以上にしてください。',
  passwordsDiffer: 'パスワードが一致しません。',
  required: '入力してください。',
};

export const setUp: Texts<typeof english.setUp> = {
  title: 'Parleyへようこそ',
  introduction: '最初のアカウントを作成します。このシステムの管理者になります。',
  token: 'セットアップトークン',
  tokenHelp:
    'サーバーの起動時に表示されたリンク、またはその末尾のトークンを貼り付けてください。サーバーで ./parley set-up-link を実行すると再表示できます。',
  submit: 'アカウントを作成',
};

export const recovery: Texts<typeof english.recovery> = {
  title: 'リカバリーキーを保存してください',
  introduction: 'パスワードを忘れたときに、新しいパスワードを設定できます。表示されるのは今回だけです。',
  key: 'リカバリーキー',
  copy: 'コピー',
  copied: 'コピーしました',
  download: 'ダウンロード',
  saved: '保存しました',
  file:
    'Parleyのリカバリーキー\n\n' +
    'アドレス: {{address}}\nユーザー名: {{user}}\nリカバリーキー: {{key}}\n作成日: {{date}}\n\n' +
    'パスワードを忘れたときは、{{link}} を開き、ユーザー名とこのキーを入力してください。\n' +
    'キーは1回だけ使え、使用後は新しいキーが発行されます。\n' +
    'キーがない場合は、運用者がサーバーで ./parley user reset-password を実行して再設定できます。\n\n' +
    'このファイルは他の人が読めない場所に保管してください。\n',
  leave: '保存せずに離れますか？',
  leaveText: '再び表示されることはありません。',
  createdAt: '{{date}}に作成されました。',
  noDate: '作成日時の記録はありません。',
  create: '新しいキーを作成',
  createText: '以前のキーは使えなくなります。',
  createConfirm: 'キーを作成',
};

export const signIn: Texts<typeof english.signIn> = {
  tooManyAttempts: '試行回数が多すぎます。しばらく待ってからお試しください。',
  title: 'サインイン',
  introduction: 'おかえりなさい。',
  expired: 'セッションが終了しました。もう一度サインインしてください。',
  againTitle: 'セッションが終了しました',
  againText: '続けるには、もう一度サインインしてください。入力した内容は保持されます。',
  discard: 'サインアウトして変更を破棄',
  submit: 'サインイン',
  forgot: 'パスワードをお忘れですか？',
  wait_one: '試行回数が多すぎます。{{count}}秒後にもう一度お試しください。',
  wait_other: '試行回数が多すぎます。{{count}}秒後にもう一度お試しください。',
};

export const reset: Texts<typeof english.reset> = {
  title: 'パスワードの再設定',
  introduction: '保存したリカバリーキーを使います。新しいキーが発行されます。',
  submit: '新しいパスワードを設定',
  back: 'サインインに戻る',
  invalid: 'ユーザー名またはリカバリーキーが正しくありません。',
};

export const profile: Texts<typeof english.profile> = {
  signedInAs: '{{user}} としてサインインしています。',
  sessions: 'セッション',
  sessionsText: 'サインイン中の場所です。心当たりのないセッションはサインアウトし、パスワードを変更してください。',
  thisSession: 'このブラウザー',
  device: '{{system}}の{{program}}',
  unknownDevice: '不明なデバイス',
  lastUsed: '最終使用',
  signedIn: 'サインイン',
  endSession: 'サインアウト',
  endOthers: 'ほかのすべてのセッションからサインアウト',
  endOthersText: 'このアカウントを使うほかのすべてのブラウザーとプログラムで、再度サインインが必要になります。',
  sessionEnded: 'セッションからサインアウトしました。',
  othersEnded: 'ほかのすべてのセッションからサインアウトしました。',
  password: 'パスワード',
  passwordText: 'パスワードを変更すると、ほかのすべてのセッションからサインアウトします。',
  currentPassword: '現在のパスワード',
  changePassword: 'パスワードを変更',
  passwordChanged: 'パスワードを変更しました。ほかのすべてのセッションからサインアウトしました。',
  passwordWrong: '現在のパスワードが正しくありません。',
  passwordLocked: 'コンソールでのパスワード変更は、運用者によって無効にされています。',
  recoveryText:
    'パスワードを忘れたときに、新しいパスワードを設定できます。一度だけ表示され、1回だけ使えます。キーがない場合は、運用者がサーバーで ./parley user reset-password を実行して再設定できます。',
  recoveryLink: 'リカバリーキーでパスワードを再設定',
  appearance: '外観',
  appearanceText: 'このブラウザーに保存されます。',
};

export const secondFactor: Texts<typeof english.secondFactor> = {
  code: 'コード',
  codeHelp: '認証アプリのコード、またはリカバリーコード。',
  signCode: '二要素認証',
  signCodeIntro: 'パスワードを確認しました。次にコードを入力してください。',
  back: '別のアカウントを使う',
  sf: '二要素認証',
  sfText: '有効にすると、サインイン時にパスワードに加えて認証アプリのコードが必要になります。',
  off: '二要素認証は無効です。',
  on: '二要素認証は {{date}} から有効です。',
  left_one: 'リカバリーコードの残り: {{count}} 個',
  left_other: 'リカバリーコードの残り: {{count}} 個',
  setUp: '設定する',
  turnOff: '無効にする',
  next: '次へ',
  scan: '認証アプリでこのQRコードを読み取り、表示されたコードを入力してください。',
  scanLabel: '認証アプリ用のQRコード',
  manual: 'またはこのキーをアプリに入力',
  copyKey: 'キーをコピー',
  copiedKey: 'コピーしました',
  turnOn: '有効にする',
  passwordFirst: '認証アプリを追加するには、パスワードを入力してください。',
  saveTitle: 'リカバリーコードを保存してください',
  saveText: '認証アプリが使えないとき、各コードで1回サインインできます。表示されるのは今回だけです。',
  copyCodes: 'コードをコピー',
  copiedCodes: 'コピーしました',
  codesFile:
    'Parleyのリカバリーコード\n\n' +
    'アドレス: {{address}}\nユーザー名: {{user}}\n作成日: {{date}}\n\n{{codes}}\n\n' +
    '認証アプリが使えないときに、アプリのコードの代わりに入力してください。各コードは1回だけ使えます。\n\n' +
    'このファイルは他の人が読めない場所に保管してください。\n',
  codes: 'リカバリーコード',
  turnedOff: '二要素認証を無効にしました',
  turnOffText: 'サインインにはパスワードだけが必要になります。',
};

export const identity: Texts<typeof english.identity> = {
  signInWith: '{{name}} で続ける',
  title: 'シングルサインオン',
  text: 'パスワードの代わりに {{name}} でサインインできます。',
  link: '{{name}} と連携',
  unlink: '連携を解除',
  linked: '{{date}} から連携しています。',
  noPassword: 'このアカウントにはパスワードがありません。IDプロバイダーでサインインします。',
};
