import { DeliveryError } from '@parley/sdk';
import { type Fields, numberOf, textOf } from './fields.ts';

/** A client's refusal of an action. */
export class Refusal extends Error {
  readonly retcode: number;

  constructor(retcode: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.retcode = retcode;
  }
}

/** Longest text of a client that becomes part of an error. */
const longestText = 300;

const unknownTarget =
  /(群|好友|用户).{0,8}(不存在|未找到)|(不|未)(在|加入).{0,4}群|不是.{0,6}好友|无法获取(用户|群)信息|(group|user|friend|uin|peer)\b.{0,30}\b(not (exist|found|a friend|in the group)|does not exist)|no such (user|group|friend)|not (a |your )?friend/i;
const rateLimit = /频繁|频率|rate.?limit|too (many|fast|frequent)/i;
const offline = /离线|未登录|掉线|\boffline\b|not (logged in|online)/i;
const noPermission = /禁言|权限|仅管理员|\bmuted\b|permission|not (an )?admin/i;
/** Clients give up waiting for QQ, which may have taken the message. */
const timeout = /time(d)? ?-?out|超时/i;

/**
 * The failure of an action that the client refused. The protocol defines a few codes; what else went wrong is in texts, which
 * differ by client.
 */
export function refusedAction(action: string, response: Fields): DeliveryError {
  const retcode = numberOf(response.retcode) ?? 0;
  const said = textOf(response.wording) || textOf(response.message) || textOf(response.msg);
  const text = said.slice(0, longestText).toWellFormed();
  const why = noPermission.test(text) ? ', because the account has no permission or is muted' : '';
  const message = `The QQ client refused ${action}${why}: ${text === '' ? '' : `${text} `}(retcode ${retcode})`;
  const options = { cause: new Refusal(retcode, text) };
  if (retcode === 1401 || retcode === 1403) {
    return new DeliveryError('refused', 'platform_unauthorized', message, options);
  }
  if (timeout.test(text)) return new DeliveryError('unknown', 'platform_failed', message, options);
  if (rateLimit.test(text)) {
    return new DeliveryError('not_sent', 'quota', message, { ...options, rateLimit: { pauseMs: null, scope: 'chat' } });
  }
  if (offline.test(text)) return new DeliveryError('not_sent', 'platform_failed', message, options);
  const reason = unknownTarget.test(text) ? 'unknown_target' : 'platform_failed';
  return new DeliveryError('refused', reason, message, options);
}

/** The refusal behind a failure that is certain; null if there is none. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof DeliveryError) || error.kind !== 'refused') return null;
  return error.cause instanceof Refusal ? error.cause : null;
}

/** Whether the client does not know the action. */
export function isUnknownAction(error: unknown): boolean {
  const refusal = refusalOf(error);
  return (
    refusal !== null && (refusal.retcode === 1404 || /unsupported|不支持的?.{0,4}(api|action)/i.test(refusal.message))
  );
}

/** A failure as one of a delivery, for what was thrown before an action was called. */
export function asDeliveryError(error: unknown): DeliveryError {
  return DeliveryError.from(error, 'The message could not be prepared', 'refused');
}
