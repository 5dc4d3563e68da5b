import type { ParleyApiErrorDetail } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { Section } from '../../components/page.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { localized } from '../../lib/i18n.ts';
import type { TypedTexts } from '../../lib/typed-texts.ts';
import {
  type Config,
  type FormStage,
  type FormTab,
  groupOf,
  runnerLabel,
  runnerOf,
  shownStages,
  withGroup,
} from './pipeline-fields.ts';

interface ConfigurationTabProps {
  tab: FormTab;
  form: readonly FormTab[];
  config: Config;
  faults: readonly ParleyApiErrorDetail[];
  onChange: (config: Config) => void;
  typed: TypedTexts;
}

/** One tab of the configuration: a form per group. */
export function ConfigurationTab({ tab, form, config, faults, onChange, typed }: ConfigurationTabProps) {
  const { t } = useTranslation();
  const stages = shownStages(tab, config);
  const runner = runnerOf(config);
  const isRunnerGone = tab.name === 'ai' && !tab.stages.some(({ name }) => name === runner);
  const formOf = (stage: FormStage, fields: FormStage['config']) => (
    <SchemaForm
      fields={fields}
      value={groupOf(config, tab.name, stage.name)}
      faults={faults}
      typed={typed}
      path={`config.${tab.name}.${stage.name}`}
      onChange={(value) => onChange(withGroup(config, tab.name, stage.name, value))}
    />
  );
  const isPrompt = ({ type }: FormStage['config'][number]) => type === 'prompt-editor';
  return (
    <div className="max-w-3xl">
      {isRunnerGone && (
        <Alert variant="notice" className="mb-6">
          <p className="font-medium">{t('pipelines.goneRunner', { name: localized(runnerLabel(form, runner)) })}</p>
          <p>{t('pipelines.goneRunnerText')}</p>
        </Alert>
      )}
      {/* The prompt is what is changed most. */}
      {stages
        .filter(({ config: fields }) => fields.some(isPrompt))
        .map((stage) => (
          <section key={stage.name} className="mb-8">
            {formOf(stage, stage.config.filter(isPrompt))}
          </section>
        ))}
      {stages.map((stage) => (
        <Section
          key={stage.name}
          title={localized(stage.label)}
          {...(stage.description === undefined ? {} : { text: localized(stage.description) })}
        >
          {formOf(
            stage,
            stage.config.filter((field) => !isPrompt(field)),
          )}
        </Section>
      ))}
    </div>
  );
}
