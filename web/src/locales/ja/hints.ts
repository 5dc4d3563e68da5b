import type { hints as english } from '../en/hints.ts';
import type { Texts } from '../texts.ts';

/** What to do about a failure whose cause is known. */
export const hints: Texts<typeof english> = {
  base_url_version: 'ベース URL にバージョンがありません。{{url}} をお試しください。',
  base_url_path: 'ベース URL にリクエストのパスが含まれています。{{url}} を使用してください。',
  not_an_api: 'API の応答ではなくウェブページが返されました。ベース URL を確認してください。',
  redirected: 'リダイレクトには従いません。{{url}} がプロバイダーの URL であれば、ベース URL に設定してください。',
  key_missing: 'このプロバイダーには API キーが必要ですが、保存されていません。追加してください。',
  key_rejected:
    'API キーの入力ミス、期限切れ、または失効の可能性があります。プロバイダーで新しいキーを作成してください。',
  key_of_other_provider:
    'この API キーは {{provider}} のもののようです。このプロバイダーのキーを使うか、{{provider}} のベース URL に変更してください。',
  key_permissions:
    'この API キーには必要な権限がありません。プロバイダーでキーの権限、プロジェクト、リージョンを確認してください。',
  unknown_model: 'モデル ID を確認するか、プロバイダーの一覧からモデルを選択してください。',
  rate_limit:
    '短時間のリクエストが多すぎます。しばらく待つか、別の API キーまたはフォールバックモデルを追加してください。',
  quota_used_up: 'アカウントの残高または割り当てを使い切りました。プロバイダーの請求ページを確認してください。',
  provider_problem:
    'プロバイダー側で問題が発生しています。時間をおいて再試行し、プロバイダーのステータスページを確認してください。',
  no_response: 'もう一度お試しください。サーバーが動作していて、過負荷でないことを確認してください。',
  broken_connection:
    'もう一度お試しください。このサーバーとプロバイダーの間のプロキシが、長い応答を打ち切っている可能性があります。',
  unknown_host: 'ホスト名が存在しません。アドレスの入力ミスを確認してください。',
  connection_refused:
    'このホストとポートで待ち受けているサーバーがありません。アドレスと、サーバーが動作していることを確認してください。コンテナ内の localhost はコンテナ自身を指します。',
  host_unreachable:
    'このサーバーからアドレスへの経路がありません。ネットワーク、ファイアウォール、DNS を確認してください。',
  certificate: 'TLS 証明書が信頼されていません。アドレスを確認するか、NODE_EXTRA_CA_CERTS で認証局を追加してください。',
  no_tls: 'このポートのサーバーは TLS を使用していません。https:// を http:// に変更してください。',
};
