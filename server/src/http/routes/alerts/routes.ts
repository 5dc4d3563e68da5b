import { numberCursor } from '../../cursor.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  AlertAnswer,
  AlertPage,
  AlertParams,
  AlertQuery,
  CreateAlertRule,
  CreateAlertTarget,
  NoticeTest,
  RuleAnswer,
  RuleList,
  RuleParams,
  TargetAnswer,
  TargetList,
  TargetParams,
  TargetSecret,
  UpdateAlertRule,
  UpdateAlertTarget,
} from './schema.ts';

/** Admins only: notices are sent to other servers, and name bots and documents. */
const access = { credential: 'either', scope: 'admin', role: 'admin' } as const;
const readOnly = ['uuid', 'created_at', 'updated_at'];
const readOnlyOfRules = [...readOnly, 'missing', 'open_alert_id'];
const readOnlyOfTargets = [...readOnly, 'secret'];

export async function alertRoutes(server: TypedServer, { alerts }: Pick<RouteServices, 'alerts'>) {
  server.get(
    '/api/v1/alerts',
    {
      config: { access },
      schema: {
        summary: 'Open and past alerts with their notices, latest first',
        querystring: AlertQuery,
        response: answers(AlertPage, 400, 401, 403),
      },
    },
    async ({ query: { state, limit, cursor } }) => {
      const before = cursor === undefined ? null : numberCursor.decode(cursor);
      const isOpen = state === undefined ? undefined : state === 'open';
      const { alerts: shown, next } = await alerts.alerts({ isOpen, limit, before });
      return success({ alerts: shown, next_cursor: next === null ? null : numberCursor.encode(next) });
    },
  );

  server.get(
    '/api/v1/alerts/:alert_id',
    {
      config: { access },
      schema: {
        summary: 'An alert with its notices',
        params: AlertParams,
        response: answers(AlertAnswer, 401, 403, 404),
      },
    },
    async ({ params }) => success({ alert: await alerts.alert(params.alert_id) }),
  );

  server.get(
    '/api/v1/alerts/rules',
    {
      config: { access },
      schema: { summary: 'List alert rules', response: answers(RuleList, 401, 403) },
    },
    async () => success({ rules: await alerts.rules() }),
  );

  server.post(
    '/api/v1/alerts/rules',
    {
      config: { access, audit: 'alert-rule.create', readOnly: readOnlyOfRules },
      schema: {
        summary: 'Create an alert rule',
        body: CreateAlertRule,
        response: answers(RuleAnswer, 400, 401, 403, 409),
      },
    },
    async ({ body }) => success({ rule: await alerts.createRule(body) }),
  );

  server.get(
    '/api/v1/alerts/rules/:rule_uuid',
    {
      config: { access },
      schema: {
        summary: 'Read an alert rule',
        params: RuleParams,
        response: taggedAnswers(RuleAnswer, 401, 403, 404),
      },
    },
    async ({ params }, reply) => success({ rule: withTag(reply, await alerts.taggedRule(params.rule_uuid)) }),
  );

  server.put(
    '/api/v1/alerts/rules/:rule_uuid',
    {
      config: { access, audit: 'alert-rule.update', readOnly: [...readOnlyOfRules, 'kind'], conditional: true },
      schema: {
        summary: 'Change an alert rule',
        params: RuleParams,
        body: UpdateAlertRule,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async ({ params, body, expectedTags }) => done(alerts.updateRule(params.rule_uuid, body, expectedTags)),
  );

  server.delete(
    '/api/v1/alerts/rules/:rule_uuid',
    {
      config: { access, audit: 'alert-rule.delete' },
      schema: {
        summary: 'Delete an alert rule; its open alert ends',
        params: RuleParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async ({ params }) => done(alerts.deleteRule(params.rule_uuid)),
  );

  server.get(
    '/api/v1/alerts/targets',
    {
      config: { access },
      schema: { summary: 'List targets of alerts', response: answers(TargetList, 401, 403) },
    },
    async () => success({ targets: await alerts.targets() }),
  );

  server.post(
    '/api/v1/alerts/targets',
    {
      // The response may contain the signing secret.
      config: { access, audit: 'alert-target.create', readOnly: readOnlyOfTargets, idempotency: false },
      schema: {
        summary: 'Create a target of alerts',
        description: 'The response for a webhook contains the full signing secret, once.',
        body: CreateAlertTarget,
        response: answers(TargetAnswer, 400, 401, 403, 409),
      },
    },
    async ({ body }) => success({ target: await alerts.createTarget(body) }),
  );

  server.get(
    '/api/v1/alerts/targets/:target_uuid',
    {
      config: { access },
      schema: {
        summary: 'Read a target of alerts',
        params: TargetParams,
        response: taggedAnswers(TargetAnswer, 401, 403, 404),
      },
    },
    async ({ params }, reply) => success({ target: withTag(reply, await alerts.taggedTarget(params.target_uuid)) }),
  );

  server.put(
    '/api/v1/alerts/targets/:target_uuid',
    {
      config: { access, audit: 'alert-target.update', readOnly: [...readOnlyOfTargets, 'kind'], conditional: true },
      schema: {
        summary: 'Change a target of alerts; its pending notices are sent now',
        params: TargetParams,
        body: UpdateAlertTarget,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async ({ params, body, expectedTags }) => done(alerts.updateTarget(params.target_uuid, body, expectedTags)),
  );

  server.delete(
    '/api/v1/alerts/targets/:target_uuid',
    {
      config: { access, audit: 'alert-target.delete' },
      schema: {
        summary: 'Delete a target of alerts; its pending notices fail',
        params: TargetParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async ({ params }) => done(alerts.deleteTarget(params.target_uuid)),
  );

  server.post(
    '/api/v1/alerts/targets/:target_uuid/rotate-secret',
    {
      config: { access, audit: 'alert-target.rotate-secret', idempotency: false },
      schema: {
        summary: 'Replace the signing secret of a webhook target; returns the new one, once',
        params: TargetParams,
        response: answers(TargetSecret, 401, 403, 404, 409),
      },
    },
    async ({ params }) => success({ secret: await alerts.rotateSecret(params.target_uuid) }),
  );

  server.post(
    '/api/v1/alerts/targets/:target_uuid/test',
    {
      config: { access, audit: 'alert-target.test' },
      schema: {
        summary: 'Send a test notice now',
        description: 'Returns the result, which is not stored.',
        params: TargetParams,
        response: answers(NoticeTest, 401, 403, 404),
      },
    },
    async ({ params }) => success(await alerts.test(params.target_uuid)),
  );
}
