import Type from 'typebox';
import { Alert } from '../../../core/alerts/alert.ts';
import { AlertRule, CreateAlertRule, UpdateAlertRule } from '../../../core/alerts/alert-rule.ts';
import { AlertTarget, CreateAlertTarget, NoticeTest, UpdateAlertTarget } from '../../../core/alerts/alert-target.ts';

const uuid = Type.String({ maxLength: 64 });

export const RuleParams = Type.Object({ rule_uuid: uuid });
export const TargetParams = Type.Object({ target_uuid: uuid });
export const AlertParams = Type.Object({ alert_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
export const RuleList = Type.Object({ rules: Type.Array(AlertRule) });
export const RuleAnswer = Type.Object({ rule: AlertRule });
export const TargetList = Type.Object({ targets: Type.Array(AlertTarget) });
export const TargetAnswer = Type.Object({ target: AlertTarget });
export const TargetSecret = Type.Object({
  secret: Type.String({ description: 'The full secret; it is not shown again.' }),
});
export const AlertQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum(['open', 'ended'], { description: 'Default: all.' })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: '`next_cursor` of the previous page.' }),
    ),
  },
  { additionalProperties: false },
);
export const AlertPage = Type.Object({
  alerts: Type.Array(Alert),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page.' }),
});
export const AlertAnswer = Type.Object({ alert: Alert });
export { CreateAlertRule, CreateAlertTarget, NoticeTest, UpdateAlertRule, UpdateAlertTarget };
