import type { I18nText, PlatformTest, PlatformTestContext, TestFinding } from '@parley/sdk';
import type { APIApplication } from 'discord-api-types/v10';
import type { DiscordSettings } from './config.ts';
import { baseUrlOf, checkedToken, DiscordApi, unauthorized } from './discord-api.ts';
import { asDeliveryError, DiscordRefusal } from './failure.ts';
import { nameOf } from './parse.ts';
import type { Timing } from './timing.ts';

/** Flags of an application that may read the content of messages. @see https://docs.discord.com/developers/resources/application#application-object-application-flags */
const mayReadContent = (1 << 18) | (1 << 19);
/**
 * View Channels, Send Messages, Attach Files, Read Message History, Send Messages in Threads.
 * @see https://docs.discord.com/developers/topics/permissions
 */
const permissions = (1n << 10n) | (1n << 11n) | (1n << 15n) | (1n << 16n) | (1n << 38n);

/**
 * Tests a configuration: whose token it is, and whether the application and its servers are set up.
 * @throws ParleyError `platform_unauthorized`, `platform_failed`
 */
export async function checkAccount(
  settings: DiscordSettings,
  { fetch, signal }: PlatformTestContext,
  timing: Timing,
): Promise<PlatformTest> {
  const options = { token: checkedToken(settings), baseUrl: baseUrlOf(settings), fetch, closed: signal, timing };
  const api = new DiscordApi(options);
  const get = <Result>(path: string) => api.call<Result>({ method: 'GET', path });
  try {
    const application = await get<Partial<APIApplication>>('/applications/@me');
    const user = application.bot ?? (await get<NonNullable<APIApplication['bot']>>('/users/@me'));
    const servers = await get<unknown[]>('/users/@me/guilds?limit=1');
    return { id: user.id, name: nameOf(user), findings: findingsOf(application, servers, settings) };
  } catch (error) {
    if (error instanceof DiscordRefusal && error.status === 401) throw unauthorized();
    throw asDeliveryError(error);
  }
}

function findingsOf(
  { id = '', flags }: Partial<APIApplication>,
  servers: unknown[],
  settings: DiscordSettings,
): TestFinding[] {
  const findings: TestFinding[] = [];
  if (((flags ?? 0) & mayReadContent) === 0)
    findings.push({ level: 'error', field: 'token', text: contentIntentText(id) });
  const entered = settings.client_id.trim();
  if (entered !== '' && entered !== id) findings.push({ level: 'warning', field: 'client_id', text: otherIdText(id) });
  if (servers.length === 0) findings.push({ level: 'warning', text: noServerText(id) });
  return findings;
}

function contentIntentText(id: string): I18nText {
  const page = `https://discord.com/developers/applications/${id}/bot`;
  return {
    en_US: `The Message Content Intent is switched off, so the bot cannot connect. Switch it on under Privileged Gateway Intents: ${page}`,
    zh_Hans: `未开启 Message Content Intent，机器人无法连接。请在 Privileged Gateway Intents 中打开：${page}`,
    ja_JP: `Message Content Intentがオフのため、接続できません。Privileged Gateway Intentsでオンにしてください：${page}`,
  };
}

function otherIdText(id: string): I18nText {
  return {
    en_US: `The token belongs to the application ${id}. Enter its ID, or the token of the other application.`,
    zh_Hans: `该令牌属于应用 ${id}。请填写该应用的 ID，或改用另一应用的令牌。`,
    ja_JP: `トークンはアプリケーション ${id} のものです。そのIDを入力するか、別のアプリケーションのトークンを使ってください。`,
  };
}

function noServerText(id: string): I18nText {
  const link = `https://discord.com/oauth2/authorize?client_id=${id}&scope=bot&permissions=${permissions}`;
  return {
    en_US: `The bot is in no server yet. Add it with this link: ${link}`,
    zh_Hans: `机器人尚未加入任何服务器。请通过此链接添加：${link}`,
    ja_JP: `ボットはまだどのサーバーにも参加していません。次のリンクから追加してください：${link}`,
  };
}
