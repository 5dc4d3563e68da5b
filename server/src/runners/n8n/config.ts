import { address, choice, group, optional, secret, text, whole } from '@parley/sdk/fields';
import type { Static } from 'typebox';
import { maximumTimeoutSeconds, silenceHelp } from '../../kit/services/timeout.ts';

const whenAuthenticatedBy = (value: string) =>
  ({ ...optional, 'x-show-if': { field: 'auth-type', operator: 'eq', value } }) as const;

/** Settings of the runner: the group `ai.n8n-service-api` of a pipeline. */
export const n8nConfig = group(
  ['n8n', 'n8n', 'n8n'],
  ['Answers with an n8n workflow.', '使用 n8n 工作流回复。', 'n8nのワークフローで回答します。'],
  {
    'webhook-url': address(
      'http://your-n8n-webhook-url',
      ['Webhook', 'Webhook 地址', 'Webhook'],
      [
        'URL of the webhook that starts the workflow.',
        '作为工作流起点的 Webhook 的地址。',
        'ワークフローの起点となるWebhookのアドレスです。',
      ],
    ),
    'auth-type': choice(
      {
        none: ['None', '无', 'なし'],
        basic: ['User name and password', '用户名和密码', 'ユーザー名とパスワード'],
        jwt: ['Signed token (JWT)', '签名令牌（JWT）', '署名付きトークン（JWT）'],
        header: ['Header', '请求头', 'ヘッダー'],
      },
      'none',
      ['Authentication', '认证方式', '認証方式'],
      ['As configured in the webhook.', '与 Webhook 的设置一致。', 'Webhookの設定に合わせます。'],
    ),
    'basic-username': text('', ['User name', '用户名', 'ユーザー名'], null, whenAuthenticatedBy('basic')),
    'basic-password': secret('', ['Password', '密码', 'パスワード'], null, whenAuthenticatedBy('basic')),
    'jwt-secret': secret(
      '',
      ['Signing secret', '签名密钥', '署名シークレット'],
      [
        'Signs the token sent with each request.',
        '用于签署每次请求所带的令牌。',
        '各呼び出しに添えるトークンの署名に使います。',
      ],
      whenAuthenticatedBy('jwt'),
    ),
    'jwt-algorithm': text(
      'HS256',
      ['Signing algorithm', '签名算法', '署名アルゴリズム'],
      ['For example HS256.', '例如 HS256。', '例：HS256'],
      whenAuthenticatedBy('jwt'),
    ),
    'header-name': text('', ['Header name', '请求头名称', 'ヘッダーの名前'], null, whenAuthenticatedBy('header')),
    'header-value': secret('', ['Header value', '请求头的值', 'ヘッダーの値'], null, whenAuthenticatedBy('header')),
    timeout: whole(120, [0, maximumTimeoutSeconds], ['Timeout', '超时时间', '制限時間'], silenceHelp, optional),
    'output-key': text(
      'response',
      ['Answer field', '回复字段', '回答のフィールド'],
      [
        'Field of the workflow response that contains the text.',
        '工作流返回内容中存放文字的字段。',
        'ワークフローが返す内容のうち、テキストを含むフィールドです。',
      ],
      optional,
    ),
  },
);
export type N8nConfig = Static<typeof n8nConfig>;
