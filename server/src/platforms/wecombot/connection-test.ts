import type { PlatformTest, PlatformTestContext, TestFinding } from '@parley/sdk';
import { requireSettings, type WecomBotSettings } from './config.ts';
import { cryptoOf } from './webhook.ts';

/**
 * Tests what can be tested: connecting with the secret would end the connection of the bot itself.
 * @throws ParleyError as the start of a bot
 */
export async function test(settings: WecomBotSettings, context: PlatformTestContext): Promise<PlatformTest> {
  requireSettings(settings);
  const account = { id: settings.BotId.trim(), name: settings.robot_name.trim() || null };
  if (settings['enable-webhook']) {
    cryptoOf(settings);
    return { ...account, findings: [unverified] };
  }
  const socket = await context.openSocket(settings.websocket_url.trim(), { signal: context.signal });
  socket.close(1000);
  await socket.closed;
  return { ...account, findings: [untested] };
}

const untested: TestFinding = {
  level: 'warning',
  field: 'Secret',
  text: {
    en_US:
      'WeCom can be reached. The bot ID and the secret are checked when the bot connects: a test would end its connection.',
    zh_Hans: '可以连接企业微信。Bot ID 和 Secret 将在机器人连接时校验，因为测试会断开现有连接。',
    ja_JP:
      'WeComに接続できます。ボットIDとSecretはボットの接続時に確認します。テストすると現在の接続が切れるためです。',
  },
};

const unverified: TestFinding = {
  level: 'warning',
  field: 'Token',
  text: {
    en_US: 'The token and the key are checked when WeCom verifies the webhook URL: enter it on the page of the bot.',
    zh_Hans: 'Token 和 EncodingAESKey 将在企业微信验证 Webhook 地址时校验，请在机器人页面填写该地址。',
    ja_JP:
      'TokenとEncodingAESKeyは、WeComがWebhookのURLを検証するときに確認されます。ボットのページにURLを入力してください。',
  },
};
