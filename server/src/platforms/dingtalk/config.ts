import { Address, Secret } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { proxyField } from '../../kit/proxy-field.ts';
import { settingFault } from '../../kit/setting-fault.ts';

/** Time between two updates of a card where none is entered, milliseconds. */
export const defaultCardUpdateMs = 1000;

/** What the reference system fills in where no template was entered. */
const placeholder = '填写你的卡片template_id';

/** The `adapter_config` of a DingTalk bot. */
export const DingTalkConfig = Type.Object(
  {
    client_id: Type.String({
      default: '',
      maxLength: 200,
      description: 'Client ID (formerly AppKey) under "Credentials & Basic Info".',
      'x-label': { en_US: 'Client ID', zh_Hans: 'Client ID', ja_JP: 'Client ID' },
      'x-help': {
        en_US: 'Client ID (formerly AppKey) under "Credentials & Basic Info" of the app.',
        zh_Hans: '应用“凭证与基础信息”中的 Client ID（原 AppKey）。',
        ja_JP: 'アプリの「凭证与基础信息」にあるClient ID（旧AppKey）です。',
      },
    }),
    client_secret: Secret({
      default: '',
      description: 'Client secret (formerly AppSecret) from the same page.',
      'x-label': { en_US: 'Client secret', zh_Hans: 'Client Secret', ja_JP: 'Client Secret' },
      'x-help': {
        en_US: 'Client secret (formerly AppSecret) from the same page.',
        zh_Hans: '同一页面中的 Client Secret（原 AppSecret）。',
        ja_JP: '同じページにあるClient Secret（旧AppSecret）です。',
      },
    }),
    robot_code: Type.String({
      default: '',
      maxLength: 200,
      'x-optional': true,
      description: 'Robot code from the page of the robot. Default: the client ID, which it usually is.',
      'x-label': { en_US: 'Robot code', zh_Hans: '机器人编码', ja_JP: 'ロボットコード' },
      'x-help': {
        en_US: 'RobotCode from the page of the robot. Usually the client ID, which is used if this is empty.',
        zh_Hans: '机器人配置页面中的 RobotCode。通常与 Client ID 相同；留空时使用 Client ID。',
        ja_JP: 'ロボットの設定ページにあるRobotCodeです。通常はClient IDと同じで、空欄の場合はそれを使います。',
      },
    }),
    robot_name: Type.String({
      default: '',
      maxLength: 200,
      'x-optional': true,
      description: 'Name of the robot, removed from the start of messages that mention it.',
      'x-label': { en_US: 'Robot name', zh_Hans: '机器人名称', ja_JP: 'ロボット名' },
      'x-help': {
        en_US: 'If a message that mentions the robot starts with @ and this name, both are removed.',
        zh_Hans: '消息以 @ 加此名称开头时，会将其去除。',
        ja_JP: 'ロボットへのメッセージが@とこの名前で始まる場合、それを取り除きます。',
      },
    }),
    markdown_card: Type.Boolean({
      default: true,
      description: 'Sends answers as Markdown. Otherwise they are plain text.',
      'x-label': { en_US: 'Send Markdown', zh_Hans: '使用 Markdown', ja_JP: 'Markdownで送信' },
      'x-help': {
        en_US: 'Sends answers as Markdown messages; when off, as plain text.',
        zh_Hans: '以 Markdown 消息发送回答；关闭时发送纯文本。',
        ja_JP: '回答をMarkdownメッセージで送信します。オフの場合はプレーンテキストです。',
      },
    }),
    'enable-stream-reply': Type.Boolean({
      default: false,
      description: 'Shows answers while they are generated, in an AI card.',
      'x-label': { en_US: 'Stream replies', zh_Hans: '流式回复', ja_JP: '回答の逐次表示' },
      'x-help': {
        en_US: 'Shows answers while they are generated, in an AI card. Requires a card template and two permissions.',
        zh_Hans: '在生成过程中以 AI 卡片逐步显示回答。需要卡片模板，以及卡片的两项权限。',
        ja_JP: '作成中の回答をAIカードに順次表示します。カードテンプレートと2つの権限が必要です。',
      },
    }),
    card_template_id: Type.String({
      default: '',
      maxLength: 200,
      'x-optional': true,
      'x-show-if': { field: 'enable-stream-reply', operator: 'eq', value: true },
      description:
        'ID of an AI card template, such as 1a2b….schema, whose Markdown component shows the variable "content".',
      'x-label': { en_US: 'Card template ID', zh_Hans: '卡片模板 ID', ja_JP: 'カードテンプレートID' },
      'x-help': {
        en_US:
          'ID of an AI card template (ends in .schema) whose streaming Markdown component shows the variable content.',
        zh_Hans: 'AI 卡片模板的 ID（以 .schema 结尾），其流式 Markdown 组件绑定变量 content。',
        ja_JP: 'AIカードテンプレートのID（末尾は.schema）です。逐次表示のMarkdown部品に変数contentを割り当てます。',
      },
    }),
    card_auto_layout: Type.Boolean({
      default: false,
      'x-advanced': true,
      'x-show-if': { field: 'enable-stream-reply', operator: 'eq', value: true },
      description: 'Shows cards in full width.',
      'x-label': { en_US: 'Wide cards', zh_Hans: '卡片宽屏自适应', ja_JP: 'カードを全幅で表示' },
      'x-help': {
        en_US: 'Cards use the full width of the window.',
        zh_Hans: '卡片宽度随窗口自适应。',
        ja_JP: 'カードをウィンドウの幅いっぱいに表示します。',
      },
    }),
    card_update_ms: Type.Integer({
      default: defaultCardUpdateMs,
      minimum: 100,
      maximum: 60_000,
      'x-advanced': true,
      'x-show-if': { field: 'enable-stream-reply', operator: 'eq', value: true },
      description:
        'Least time between two updates of a card, milliseconds. Each counts against the monthly quota of calls.',
      'x-label': { en_US: 'Card update interval', zh_Hans: '卡片更新间隔', ja_JP: 'カードの更新間隔' },
      'x-help': {
        en_US: 'Milliseconds between two updates of a card. Each counts against the monthly quota of API calls.',
        zh_Hans: '两次卡片更新之间的毫秒数。每次更新都计入企业每月的 API 调用额度。',
        ja_JP: 'カードを更新する間隔（ミリ秒）です。更新のたびに組織の月間API呼び出し枠を消費します。',
      },
    }),
    api_base_url: Address({
      default: 'https://api.dingtalk.com',
      'x-advanced': true,
      description: 'URL of the API. Change it only for a dedicated deployment or a gateway.',
      'x-label': { en_US: 'API base URL', zh_Hans: 'API 地址', ja_JP: 'APIアドレス' },
      'x-help': {
        en_US: 'Change it only for a dedicated deployment or a gateway.',
        zh_Hans: '仅在专属部署或使用网关时修改。',
        ja_JP: '専用環境またはゲートウェイを使う場合のみ変更します。',
      },
    }),
    oapi_base_url: Address({
      default: 'https://oapi.dingtalk.com',
      'x-advanced': true,
      description: 'URL of the older API, for uploads and session webhooks.',
      'x-label': { en_US: 'Old API base URL', zh_Hans: '旧版 API 地址', ja_JP: '旧APIアドレス' },
      'x-help': {
        en_US: 'For uploads and session webhooks. Change it only for a dedicated deployment or a gateway.',
        zh_Hans: '用于上传文件和会话 Webhook。仅在专属部署或使用网关时修改。',
        ja_JP: 'アップロードとセッションWebhookに使います。専用環境またはゲートウェイを使う場合のみ変更します。',
      },
    }),
    proxy: proxyField('DingTalk', '钉钉'),
  },
  { additionalProperties: false },
);

/** A bot's settings after defaults were filled in. */
export type DingTalkSettings = Static<typeof DingTalkConfig>;

/** The code that names the robot in calls; it is the bot's account. */
export function robotCodeOf({ robot_code, client_id }: Pick<DingTalkSettings, 'robot_code' | 'client_id'>): string {
  return robot_code.trim() || client_id.trim();
}

export function withoutSlash(address: string): string {
  return address.trim().replace(/\/+$/, '');
}

/** @throws ParleyError `invalid_request` when a setting cannot be right */
export function requireSettings(settings: DingTalkSettings): void {
  const { client_id, client_secret, api_base_url, oapi_base_url, card_template_id } = settings;
  if (client_id.trim() === '') throw settingFault('client_id', 'Enter the client ID and the client secret', 'required');
  if (client_secret.trim() === '')
    throw settingFault('client_secret', 'Enter the client ID and the client secret', 'required');
  if (!URL.canParse(withoutSlash(api_base_url)))
    throw settingFault('api_base_url', 'The API base URL is not a URL', 'address');
  if (!URL.canParse(withoutSlash(oapi_base_url)))
    throw settingFault('oapi_base_url', 'The old API base URL is not a URL', 'address');
  const template = card_template_id.trim();
  if (settings['enable-stream-reply'] && (template === '' || template === placeholder)) {
    throw settingFault('card_template_id', 'Streamed replies need the ID of a card template', 'required');
  }
}
