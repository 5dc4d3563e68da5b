import { address, decimal, flag, group, optional, secret, text } from '@parley/sdk/fields';
import type { Static } from 'typebox';
import { maximumTimeoutSeconds, silenceHelp } from '../../kit/services/timeout.ts';

/** Settings of the runner: the group `ai.http-api` of a pipeline. */
export const httpConfig = group(
  ['HTTP service', 'HTTP 服务', 'HTTPサービス'],
  [
    'Answers with your own service, which receives messages as JSON.',
    '使用自建的、以 JSON 接收消息的服务回复。',
    'メッセージをJSONで受け取る自前のサービスで回答します。',
  ],
  {
    url: address(
      '',
      ['Address', '地址', 'アドレス'],
      [
        'Receives a POST request for each message.',
        '每条消息都会以 POST 请求调用。',
        'メッセージごとにPOSTで呼び出します。',
      ],
    ),
    'header-name': text(
      '',
      ['Header name', '请求头名称', 'ヘッダーの名前'],
      [
        'Sent with each request, e.g. Authorization. Optional.',
        '随每次请求发送，例如 Authorization；留空则不发送。',
        '各呼び出しに添えるヘッダーです（例：Authorization）。不要な場合は空にします。',
      ],
      optional,
    ),
    'header-value': secret('', ['Header value', '请求头的值', 'ヘッダーの値'], null, optional),
    timeout: decimal(120, [0, maximumTimeoutSeconds], ['Timeout', '超时时间', '制限時間'], silenceHelp, optional),
    'send-files': flag(
      true,
      ['Include files', '发送文件内容', 'ファイルの送信'],
      [
        'Sends images, voice messages and files in base64.',
        '以 base64 附上图片、语音和文件的内容。',
        '画像、音声、ファイルをbase64で添えます。',
      ],
      optional,
    ),
  },
);
export type HttpConfig = Static<typeof httpConfig>;
