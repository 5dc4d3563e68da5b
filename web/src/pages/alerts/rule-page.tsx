import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { type AlertRule, readTaggedRule, ruleQuery } from './alert-queries.ts';
import { bodyOf, entryOf } from './rule-entry.ts';
import { RuleFields } from './rule-fields.tsx';
import { RuleSwitch } from './rule-switch.tsx';
import { useDeleteRule } from './use-deletions.ts';

const route = getRouteApi('/console/alerts/rules/$uuid');

/** One alert rule. */
export function RulePage() {
  const { t } = useTranslation();
  const { uuid } = route.useParams();
  const rule = useQuery(ruleQuery(uuid));
  if (rule.data !== undefined) return <ShownRule key={uuid} rule={rule.data} />;
  return (
    <Page title={t('alerts.rule')} back={<BackLink to="/alerts">{t('alerts.toList')}</BackLink>}>
      <Loaded query={rule}>{() => null}</Loaded>
    </Page>
  );
}

function ShownRule({ rule }: { rule: AlertRule }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteRule();
  const id = useId();
  const params = { path: { rule_uuid: rule.uuid } };
  const draft = useDraft({
    name: `alert-rule:${rule.uuid}`,
    stored: rule,
    contentOf: entryOf,
    read: () => readTaggedRule(rule.uuid),
    save: (entry, headers) => api.put('/api/v1/alerts/rules/{rule_uuid}', { params, headers, body: bodyOf(entry) }),
    onSaved: useSaved(['alerts']),
  });
  return (
    <Page
      title={rule.name}
      introduction={t(`alerts.kindHelp.${rule.kind}`)}
      back={<BackLink to="/alerts">{t('alerts.toList')}</BackLink>}
      actions={
        <>
          <RuleSwitch rule={rule} id={id} />
          <Label htmlFor={id}>{t('alerts.enabled')}</Label>
          <Button
            variant="outline"
            size="small"
            className="ml-2"
            onClick={() => {
              remove(rule);
              void navigate({ to: '/alerts', search: { tab: 'rules' }, ignoreBlocker: true });
            }}
          >
            <Trash2 aria-hidden />
            {t('common.delete')}
          </Button>
        </>
      }
    >
      {rule.missing.length > 0 && (
        <Alert className="mb-5">
          <p className="font-medium">{t('alerts.missing')}</p>
          <p>{rule.missing.map((one) => t(`alerts.missingKinds.${one}`)).join(' ')}</p>
        </Alert>
      )}
      <Pause rule={rule} />
      <div className="max-w-2xl">
        <RuleFields value={draft.value} onChange={draft.change} faults={draft.faults} />
      </div>
      <SaveBar draft={draft} />
    </Page>
  );
}

/** Lengths of pauses, hours. */
const pauses = [1, 8, 24, 168] as const;

/** Mutes a rule for a time, immediately. */
function Pause({ rule: { uuid, muted_until } }: { rule: AlertRule }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const id = useId();
  const isMuted = muted_until !== null && Date.parse(muted_until) > Date.now();
  const change = useMutation({
    mutationFn: (hours: number) =>
      api.put('/api/v1/alerts/rules/{rule_uuid}', {
        params: { path: { rule_uuid: uuid } },
        body: { muted_until: hours === 0 ? null : new Date(Date.now() + hours * 3_600_000).toISOString() },
      }),
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
  });
  return (
    <div className="mb-6 flex flex-wrap items-center gap-3 text-sm" role="status">
      {isMuted ? (
        <>
          <span>
            {t('alerts.pausedUntil')} <RelativeTime timestamp={muted_until} />
          </span>
          <Button variant="outline" size="small" disabled={change.isPending} onClick={() => change.mutate(0)}>
            {t('alerts.resume')}
          </Button>
        </>
      ) : (
        <>
          <Label htmlFor={id}>{t('alerts.pause')}</Label>
          <Select
            id={id}
            className="w-48"
            value=""
            disabled={change.isPending}
            onChange={(event) => {
              const hours = Number(event.target.value);
              if (hours > 0) change.mutate(hours);
            }}
          >
            <option value="">{t('alerts.notPaused')}</option>
            {pauses.map((hours) => (
              <option key={hours} value={hours}>
                {t('alerts.hours', { count: hours })}
              </option>
            ))}
          </Select>
        </>
      )}
    </div>
  );
}
