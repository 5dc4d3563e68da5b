import i18next, { type TFunction } from 'i18next';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { InlineCode } from '../../components/inline-code.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Input } from '../../components/ui/input.tsx';
import { classNames } from '../../lib/class-names.ts';
import { localized } from '../../lib/i18n.ts';
import { number } from '../../lib/number-text.ts';
import { type EffectiveSetting, useSystemStatus } from './use-system-status.ts';

/** Effective settings of the server, without secrets: what each does, and where it is changed. */
export function SettingsTab({ setting: linked }: { setting: string | undefined }) {
  const { t } = useTranslation();
  const query = useSystemStatus();
  const [search, setSearch] = useState('');
  return (
    <Section title={t('systemPage.settingsInEffect')} text={t('systemPage.settingsText')}>
      <Loaded query={query} rows={8}>
        {({ settings }) => {
          const found = settings.filter((setting) => isFound(setting, search));
          return (
            <div className="max-w-3xl space-y-3">
              <Input
                type="search"
                className="max-w-sm"
                aria-label={t('systemPage.findSetting')}
                placeholder={t('systemPage.findSetting')}
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
              <p role="status" className="text-sm text-muted-foreground">
                {found.length === 0
                  ? t('systemPage.noSettings')
                  : t('systemPage.settingCount', { count: found.length })}
              </p>
              <ul aria-label={t('systemPage.settings')} className="divide-y rounded-2xl border bg-card empty:hidden">
                {found.map((setting) => (
                  <Setting key={setting.name} setting={setting} isLinked={setting.name === linked} />
                ))}
              </ul>
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}

/** By all words, in any of its texts. */
function isFound({ name, environment_variable, label, description }: EffectiveSetting, search: string): boolean {
  const texts = [name, environment_variable, localized(label), localized(description)].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => texts.includes(word));
}

function Setting({ setting, isLinked }: { setting: EffectiveSetting; isLinked: boolean }) {
  const { t } = useTranslation();
  const heading = useId();
  const row = useRef<HTMLLIElement>(null);
  const { name, environment_variable: variable, source, label, description } = setting;
  useEffect(() => {
    if (!isLinked) return;
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.focus({ preventScroll: true });
  }, [isLinked]);
  return (
    <li
      ref={row}
      tabIndex={-1}
      aria-labelledby={heading}
      className={classNames('space-y-1.5 px-4 py-3.5 -outline-offset-2', isLinked && 'bg-muted/60')}
    >
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 id={heading} className="font-medium">
          {localized(label)}
        </h3>
        <span className="min-w-0 break-all">{shownValue(setting, t)}</span>
        <Badge tone={source === 'default' ? 'neutral' : 'busy'}>{t(`systemPage.sources.${source}`)}</Badge>
      </div>
      <p className="text-sm text-pretty text-muted-foreground">
        <InlineCode text={localized(description)} />
      </p>
      <div className="flex flex-wrap gap-x-5 text-xs text-muted-foreground">
        <Place name={t('systemPage.fileKey')} text={name} />
        <Place name={t('systemPage.variable')} text={variable} />
      </div>
    </li>
  );
}

/** Where a setting is changed. */
function Place({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation();
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="shrink-0">{name}</span>
      <code className="font-mono break-all text-foreground">{text}</code>
      <CopyButton
        iconOnly
        text={() => text}
        label={t('systemPage.copyName', { name: text })}
        copiedLabel={t('common.copied')}
      />
    </span>
  );
}

/** Numbers with their unit; anything else as in an environment variable. */
function shownValue({ secret, is_set, value, unit }: EffectiveSetting, t: TFunction): string {
  if (secret) return t(is_set ? 'systemPage.secretSet' : 'systemPage.secretNotSet');
  if (!is_set || value === null) return t('systemPage.secretNotSet');
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
  if (typeof value === 'number' && unit !== null)
    return t(`systemPage.units.${unit}`, { count: value, number: number(value, i18next.language) });
  return Array.isArray(value) ? value.join(', ') : String(value);
}
