import type { PlatformTest, PlatformTestContext, TestFinding } from '@parley/sdk';
import { type DingTalkSettings, requireSettings, robotCodeOf } from './config.ts';
import { DingTalkApi, type DingTalkCall } from './dingtalk-api.ts';
import { DingTalkFailure, startFailure } from './failure.ts';
import type { Timing } from './timing.ts';

/** Calls without a recipient or a card: DingTalk checks the permissions first, then refuses them. */
const sending: DingTalkCall = { path: '/v1.0/robot/oToMessages/batchSend', json: {} };
const cards: readonly DingTalkCall[] = [
  { path: '/v1.0/card/instances/createAndDeliver', json: {} },
  { method: 'PUT', path: '/v1.0/card/streaming', json: {} },
];

/**
 * Tests the credentials and looks for missing permissions.
 * @throws ParleyError as the start of a bot
 */
export async function test(
  settings: DingTalkSettings,
  { fetch, signal }: PlatformTestContext,
  timing: Timing,
): Promise<PlatformTest> {
  requireSettings(settings);
  const api = new DingTalkApi({ settings, fetch, closed: signal, timing });
  try {
    await api.authorize();
    const findings = await missing(api, [sending], 'robot_code');
    if (settings['enable-stream-reply']) findings.push(...(await missing(api, cards, 'enable-stream-reply')));
    return { id: robotCodeOf(settings), name: settings.robot_name.trim() || null, findings };
  } catch (error) {
    throw startFailure(error);
  }
}

async function missing(api: DingTalkApi, calls: readonly DingTalkCall[], field: string): Promise<TestFinding[]> {
  const scopes = new Set<string>();
  for (const call of calls) {
    try {
      await api.call(call);
    } catch (error) {
      if (!(error instanceof DingTalkFailure)) throw error;
      for (const scope of error.scopes) scopes.add(scope);
    }
  }
  return [...scopes].map((scope) => ({
    level: 'error',
    field,
    text: {
      en_US: `The app lacks the permission \`${scope}\`. Allow it under "Permissions" of the app.`,
      zh_Hans: `应用缺少权限 \`${scope}\`。请在应用的“权限管理”中申请开通。`,
      ja_JP: `アプリに権限 \`${scope}\` がありません。アプリの「权限管理」で許可してください。`,
    },
  }));
}
