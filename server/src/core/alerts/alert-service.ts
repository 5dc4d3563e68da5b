import { invalidFields, type ProblemCode, problemError } from '@parley/sdk';
import type { TObject } from 'typebox';
import { Default } from 'typebox/value';
import { now, present, secondsFromNow } from '../../lib/clock.ts';
import { mask } from '../../lib/mask.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import { checkConfig } from '../forms/check-config.ts';
import { closedSchema } from '../forms/closed-schema.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import { openSecrets, replaceSecrets, type SecretValues, sealSecrets } from '../secrets/secret-fields.ts';
import { requireWebhookAddress } from '../webhooks/webhook-service.ts';
import { newWebhookSecret } from '../webhooks/webhook-signature.ts';
import type { Alert } from './alert.ts';
import type { AlertEvaluator } from './alert-evaluator.ts';
import { missingReferences, type ReferenceReader } from './alert-references.ts';
import {
  type AlertKind,
  type AlertParameters,
  type AlertRule,
  type CreateAlertRule,
  parameterSchema,
  type StoredAlertRule,
  type UpdateAlertRule,
} from './alert-rule.ts';
import type { AlertStore } from './alert-store.ts';
import {
  type AlertTarget,
  type AlertTargetConfig,
  type AlertTargetKind,
  type CreateAlertTarget,
  configByKind,
  type NoticeTest,
  type StoredAlertTarget,
  type UpdateAlertTarget,
} from './alert-target.ts';
import type { NoticeSender } from './notice-sender.ts';

/** Each rule is evaluated at an interval, so their number bounds the cost. */
const maximumRules = 100;
const maximumTargets = 100;
const retentionDays = 90;
const secondsPerDay = 86_400;

export interface AlertServiceOptions {
  secrets: SecretBox;
  references: ReferenceReader;
  evaluator: Pick<AlertEvaluator, 'wake'>;
  sender: Pick<NoticeSender, 'changed' | 'test'>;
}

/** Rules, targets and alerts, for admins. Methods throw `not_found`. */
export class AlertService {
  readonly #store: AlertStore;
  readonly #options: AlertServiceOptions;

  constructor(store: AlertStore, options: AlertServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Latest first. */
  async alerts(filter: { isOpen?: boolean | undefined; limit: number; before: number | null }) {
    const found = await this.#store.alerts({ ...filter, limit: filter.limit + 1 });
    const alerts = found.slice(0, filter.limit);
    return { alerts, next: found.length > filter.limit ? (alerts.at(-1)?.id ?? null) : null };
  }

  async alert(id: number): Promise<Alert> {
    return found(await this.#store.alert(id), 'alert_not_found');
  }

  async rules(): Promise<AlertRule[]> {
    return this.#shown(await this.#store.rules());
  }

  async rule(uuid: string): Promise<AlertRule> {
    return (await this.#shown([await this.#storedRule(uuid)]))[0] as AlertRule;
  }

  async taggedRule(uuid: string): Promise<Tagged<AlertRule>> {
    const stored = await this.#storedRule(uuid);
    const [record] = await this.#shown([stored]);
    return { record: record as AlertRule, tag: () => tagOfRule(stored) };
  }

  /** @throws ParleyError `invalid_request`, `conflict` when there are too many */
  async createRule(request: CreateAlertRule): Promise<AlertRule> {
    const { name, kind, enabled = true, minimum_minutes = 0, muted_until = null, targets = [] } = request;
    const parameters = await this.#parameters(kind, request.parameters ?? {});
    await this.#requireTargets(targets);
    const timestamp = now();
    const rule: StoredAlertRule = {
      uuid: newUuid(),
      name,
      kind,
      enabled,
      parameters,
      minimum_minutes,
      targets,
      held_ms: 0,
      muted_until: utc(muted_until),
      created_at: timestamp,
      updated_at: timestamp,
    };
    if (!(await this.#store.createRule(rule, maximumRules)))
      throw problemError('too_many_alert_rules', { maximum: String(maximumRules) });
    this.#options.evaluator.wake();
    return this.rule(rule.uuid);
  }

  /** @throws ParleyError `invalid_request`, `record_changed` */
  async updateRule(uuid: string, request: UpdateAlertRule, expected: ExpectedTags = null): Promise<void> {
    const known = await this.#storedRule(uuid);
    const { parameters, targets, muted_until, ...plain } = request;
    const checked = parameters && (await this.#parameters(known.kind, parameters, known.parameters));
    // Targets that were deleted meanwhile stay, until they are removed.
    if (targets !== undefined) await this.#requireTargets(targets.filter((target) => !known.targets.includes(target)));
    const updated = await this.#store.updateRule(known.uuid, (stored) => {
      requireTag(expected, () => tagOfRule(stored));
      const hasOtherCondition = checked !== undefined && JSON.stringify(checked) !== JSON.stringify(stored.parameters);
      return {
        ...plain,
        ...(checked && { parameters: checked }),
        ...(targets && { targets }),
        ...(muted_until !== undefined && { muted_until: utc(muted_until) }),
        ...(hasOtherCondition && { held_ms: 0 }),
        updated_at: now(),
      };
    });
    found(updated, 'alert_rule_not_found');
    this.#options.evaluator.wake();
  }

  /** An open alert of the rule ends. */
  async deleteRule(uuid: string): Promise<void> {
    const { uuid: id } = await this.#storedRule(uuid);
    if (!(await this.#store.deleteRule(id))) found(null, 'alert_rule_not_found');
    this.#options.evaluator.wake();
  }

  async targets(): Promise<AlertTarget[]> {
    return (await this.#store.targets()).map(shownTarget);
  }

  async target(uuid: string): Promise<AlertTarget> {
    return shownTarget(await this.#storedTarget(uuid));
  }

  async taggedTarget(uuid: string): Promise<Tagged<AlertTarget>> {
    const stored = await this.#storedTarget(uuid);
    return { record: shownTarget(stored), tag: () => tagOfTarget(stored) };
  }

  /**
   * @returns the target; that of a webhook with its whole signing secret, this one time
   * @throws ParleyError `invalid_request`, `secret_required`, `conflict` when there are too many
   */
  async createTarget({ name, kind, language = 'en', config }: CreateAlertTarget): Promise<AlertTarget> {
    const uuid = newUuid();
    const [checked, values] = await this.#config(kind, config, null);
    const secret = kind === 'webhook' ? newWebhookSecret() : '';
    const secrets = secret === '' ? values : { secret };
    const sealed_secrets = sealSecrets(this.#options.secrets, secrets, targetContext(uuid));
    const timestamp = now();
    const target: StoredAlertTarget = {
      uuid,
      name,
      kind,
      language,
      config: checked,
      secret: mask(secret),
      sealed_secrets,
      created_at: timestamp,
      updated_at: timestamp,
    };
    if (!(await this.#store.createTarget(target, maximumTargets)))
      throw problemError('too_many_alert_targets', { maximum: String(maximumTargets) });
    return { ...shownTarget(target), secret };
  }

  /** @throws ParleyError `invalid_request`, `secret_required`, `record_changed` */
  async updateTarget(uuid: string, request: UpdateAlertTarget, expected: ExpectedTags = null): Promise<void> {
    const known = await this.#storedTarget(uuid);
    const { config, ...plain } = request;
    if (config !== undefined) await this.#checkedConfig(known.kind, config, known);
    const context = targetContext(known.uuid);
    const updated = await this.#store.updateTarget(known.uuid, (stored) => {
      requireTag(expected, () => tagOfTarget(stored));
      if (config === undefined) return { ...plain, updated_at: now() };
      const secrets = openSecrets(this.#options.secrets, stored.sealed_secrets, context);
      const schema = configByKind[stored.kind];
      const [masked, values] = replaceSecrets(
        schema,
        Default(schema, { ...config }) as AlertTargetConfig,
        { config: stored.config, secrets },
        'config',
      );
      const kept = stored.kind === 'webhook' ? secrets : values;
      const sealed_secrets = sealSecrets(this.#options.secrets, kept, context);
      return { ...plain, config: masked, sealed_secrets, updated_at: now() };
    });
    found(updated, 'alert_target_not_found');
    await this.#options.sender.changed(known.uuid);
  }

  /** Notices to it that are pending fail. */
  async deleteTarget(uuid: string): Promise<void> {
    const { uuid: id } = await this.#storedTarget(uuid);
    if (!(await this.#store.deleteTarget(id, present()))) found(null, 'alert_target_not_found');
  }

  /**
   * Replaces the signing secret of a webhook.
   * @returns the new secret, only this time
   * @throws ParleyError `conflict` for other kinds
   */
  async rotateSecret(uuid: string): Promise<string> {
    const { uuid: id, kind } = await this.#storedTarget(uuid);
    if (kind !== 'webhook') throw problemError('no_signing_secret');
    const secret = newWebhookSecret();
    const sealed_secrets = sealSecrets(this.#options.secrets, { secret }, targetContext(id));
    found(
      await this.#store.updateTarget(id, () => ({ sealed_secrets, secret: mask(secret), updated_at: now() })),
      'alert_target_not_found',
    );
    return secret;
  }

  /** Sends a test notice now. */
  async test(uuid: string): Promise<NoticeTest> {
    return this.#options.sender.test(newUuid(), await this.#storedTarget(uuid));
  }

  /** Removes old alerts. @returns how many, at most `limit` */
  prune(limit: number): Promise<number> {
    return this.#store.removeBefore(secondsFromNow(-retentionDays * secondsPerDay), limit);
  }

  async #storedRule(uuid: string): Promise<StoredAlertRule> {
    return found(isUuid(uuid) ? await this.#store.rule(uuid.toLowerCase()) : null, 'alert_rule_not_found');
  }

  async #storedTarget(uuid: string): Promise<StoredAlertTarget> {
    return found(isUuid(uuid) ? await this.#store.target(uuid.toLowerCase()) : null, 'alert_target_not_found');
  }

  async #shown(rules: readonly StoredAlertRule[]): Promise<AlertRule[]> {
    const [missing, open] = await Promise.all([
      missingReferences(rules, this.#options.references),
      this.#store.openAlerts(),
    ]);
    return rules.map(({ held_ms: _, ...rule }) => ({
      ...rule,
      missing: missing.get(rule.uuid) ?? [],
      open_alert_id: open.find(({ rule_uuid }) => rule_uuid === rule.uuid)?.id ?? null,
    }));
  }

  /** Records that a rule referred to before may have been deleted. */
  async #parameters(
    kind: AlertKind,
    given: AlertParameters,
    stored: AlertParameters | null = null,
  ): Promise<AlertParameters> {
    const schema = parameterSchema(kind);
    const nothing = Object.fromEntries(
      Object.keys(schema.properties)
        .filter((field) => field.endsWith('_uuid'))
        .map((field) => [field, null]),
    );
    const parameters = Default(schema, { ...nothing, ...given });
    checkConfig(schema, parameters, 'parameters');
    const checked = parameters as AlertParameters;
    const { bots, existing } = this.#options.references;
    const known = {
      bot_uuid: () => bots(),
      pipeline_uuid: (uuid: string) => existing('pipelines', [uuid]),
      knowledge_base_uuid: (uuid: string) => existing('knowledge_bases', [uuid]),
    };
    for (const field of ['bot_uuid', 'pipeline_uuid', 'knowledge_base_uuid'] as const) {
      const uuid = checked[field]?.toLowerCase();
      if (uuid === undefined) continue;
      checked[field] = uuid;
      if (uuid === stored?.[field] || (await known[field](uuid)).has(uuid)) continue;
      throw invalidFields([{ path: `parameters.${field}`, message: 'does not exist', rule: 'missing' }]);
    }
    return checked;
  }

  async #requireTargets(targets: readonly string[]): Promise<void> {
    const known = await this.#options.references.targets();
    const index = targets.findIndex((target) => !known.has(target));
    if (index >= 0) throw invalidFields([{ path: `targets[${index}]`, message: 'does not exist', rule: 'missing' }]);
  }

  async #config(
    kind: AlertTargetKind,
    given: AlertTargetConfig,
    stored: StoredAlertTarget | null,
  ): Promise<[AlertTargetConfig, SecretValues]> {
    const config = await this.#checkedConfig(kind, given, stored);
    return replaceSecrets(configByKind[kind], config, null, 'config');
  }

  async #checkedConfig(
    kind: AlertTargetKind,
    given: AlertTargetConfig,
    stored: StoredAlertTarget | null,
  ): Promise<AlertTargetConfig> {
    const schema: TObject = configByKind[kind];
    const config = Default(schema, { ...given });
    checkConfig(closedSchema(schema), config, 'config');
    const checked = config as AlertTargetConfig;
    if (kind === 'webhook') requireWebhookAddress(checked.url ?? '', 'config.url');
    if (kind === 'chat' && checked.bot_uuid !== stored?.config.bot_uuid) {
      const bots = await this.#options.references.bots();
      if (!bots.has(checked.bot_uuid ?? ''))
        throw invalidFields([{ path: 'config.bot_uuid', message: 'does not exist', rule: 'missing' }]);
    }
    return checked;
  }
}

function tagOfRule(rule: StoredAlertRule): string {
  return recordTag(rule, ['uuid', 'kind', 'held_ms']);
}

function tagOfTarget(target: StoredAlertTarget): string {
  const isWebhook = target.kind === 'webhook';
  return recordTag(target, ['uuid', 'kind', 'secret', ...(isWebhook ? (['sealed_secrets'] as const) : [])]);
}

/** Names the record that secrets are sealed for. */
export function targetContext(uuid: string): string {
  return `alert-targets/${uuid}`;
}

function shownTarget({ sealed_secrets: _, ...target }: StoredAlertTarget): AlertTarget {
  return target;
}

/** The same time in UTC, as timestamps are compared. */
function utc(timestamp: string | null): string | null {
  return timestamp === null ? null : new Date(timestamp).toISOString();
}

function found<Found>(record: Found | null, problem: ProblemCode): Found {
  if (record === null) throw problemError(problem);
  return record;
}
