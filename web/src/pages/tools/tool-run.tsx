import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play, Square, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import type { FormField, FormValue } from '../../components/forms/form-field.ts';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ProgressBar } from '../../components/ui/progress-bar.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { ParameterFields, SecretParameters, SecretTexts } from './parameter-fields.tsx';
import type { McpServer, McpTool } from './server-queries.ts';
import { hasSecrets, parametersOf, toolFields } from './tool-form.ts';
import { ToolResult } from './tool-result.tsx';

interface ToolRunProps {
  server: McpServer;
  tool: McpTool;
}

const defaultTimeout = 60;

/** Runs a tool with a form made from its schema. */
export function ToolRun({ server, tool }: ToolRunProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const label = t(isOpen ? 'tools.closeRun' : 'tools.openRun');
  return (
    <>
      <Button
        variant="outline"
        size="small"
        className="mt-2.5"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        aria-label={`${label}: ${tool.name}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <X aria-hidden /> : <Play aria-hidden />}
        {label}
      </Button>
      {isOpen && (
        <section id={panel} aria-label={t('tools.runTool', { name: tool.name })} className="mt-3 border-t pt-4">
          <RunForm server={server} tool={tool} />
        </section>
      )}
    </>
  );
}

function RunForm({ server, tool }: ToolRunProps) {
  const { t } = useTranslation();
  const fields = toolFields(tool.parameters);
  // Survives reloads and failures; it is removed on sign-out.
  const input = useKeptInput(`tool-run:${server.uuid}:${tool.name}`, () => ({
    parameters: {} as FormValue,
    timeout: defaultTimeout,
    asJson: false,
  }));
  const { parameters, timeout, asJson } = input.value;
  const isJson = asJson || fields === null;
  const sent = isJson ? parameters : parametersOf(fields, parameters);
  const change = (next: Partial<typeof input.value>) => input.change({ ...input.value, ...next });
  const ownField = (name: 'parameters' | 'timeout', part: Pick<FormField, 'type' | 'label' | 'default'>) => (
    <SchemaForm
      fields={[{ name, required: true, ...part }]}
      value={{ [name]: input.value[name] }}
      typed={input.typed}
      faults={faultsOf(run.error)}
      onChange={change}
    />
  );
  const stopping = useRef<AbortController | null>(null);
  // Leaving the page stops the run: its result would not be shown.
  useEffect(() => () => stopping.current?.abort(), []);
  const run = useMutation({
    mutationFn: async () => {
      input.requireValues();
      const controller = new AbortController();
      stopping.current = controller;
      try {
        return await api.post('/api/v1/mcp/servers/{name}/tools/run', {
          params: { path: { name: server.uuid } },
          body: { tool: tool.name, parameters: sent, timeout },
          signal: controller.signal,
        });
      } catch (error) {
        if (controller.signal.aborted) return null;
        throw error;
      }
    },
  });
  return (
    <form
      noValidate
      className="max-w-2xl space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!run.isPending) run.mutate();
      }}
    >
      <SecretParameters fields={fields ?? []} value={parameters} path="parameters" typed={input.typed} />
      {tool.read_only !== 'confirmed' && <Alert variant="notice">{t('tools.mayChange')}</Alert>}
      {fields?.length === 0 && <p className="text-sm text-muted-foreground">{t('tools.noParameters')}</p>}
      {isJson ? (
        <>
          {ownField('parameters', { type: 'json', label: { en_US: t('tools.parametersJson') } })}
          {hasSecrets(tool.parameters) && <SecretTexts value={input.typed.texts.parameters} />}
        </>
      ) : (
        <ParameterFields
          fields={fields}
          value={parameters}
          faults={faultsOf(run.error)}
          path="parameters"
          typed={input.typed}
          onChange={(value) => change({ parameters: value })}
        />
      )}
      {fields !== null && fields.length > 0 && (
        <Button
          variant="ghost"
          size="small"
          // The other form would not show what is unfinished here.
          disabled={!input.typed.isEmpty}
          onClick={() => change({ asJson: !asJson, parameters: sent })}
        >
          {t(isJson ? 'tools.asForm' : 'tools.asJson')}
        </Button>
      )}
      {ownField('timeout', { type: 'integer', label: { en_US: t('tools.runTimeout') }, default: defaultTimeout })}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={run.isPending}>
          <Play aria-hidden />
          {t(run.isPending ? 'tools.running' : 'tools.run')}
        </Button>
        {run.isPending && (
          <Button variant="outline" onClick={() => stopping.current?.abort()}>
            <Square aria-hidden />
            {t('tools.stop')}
          </Button>
        )}
        {input.isTouched && !run.isPending && (
          <Button variant="ghost" onClick={input.reset}>
            {t('tools.resetRun')}
          </Button>
        )}
        <Link
          to="/audit"
          search={{ kind: 'tool', record: server.uuid }}
          className="ml-auto rounded py-1 text-sm text-muted-foreground underline underline-offset-4"
        >
          {t('tools.pastRuns')}
        </Link>
      </div>
      {run.isPending && <ProgressBar label={t('tools.running')} part={null} />}
      <div role="status" className="empty:hidden">
        {run.data === null && <p className="text-sm text-pretty">{t('tools.runStopped')}</p>}
        {run.data != null && <ToolResult result={run.data} />}
      </div>
      {run.isError && <FailureAlert error={run.error} title={t('tools.runFailed', { name: tool.name })} />}
    </form>
  );
}
