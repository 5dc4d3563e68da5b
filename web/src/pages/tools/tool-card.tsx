import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { McpTool } from './server-queries.ts';

interface Parameter {
  type?: unknown;
  description?: unknown;
  enum?: unknown;
}

interface ToolCardProps {
  tool: McpTool;
  /** Settings of the tool. */
  children?: ReactNode;
}

/** A tool: name, description and parameters, all untrusted text of its server. */
export function ToolCard({ tool, children }: ToolCardProps) {
  const { t } = useTranslation();
  const { properties, required } = tool.parameters as { properties?: Record<string, Parameter>; required?: unknown };
  const parameters = Object.entries(properties ?? {});
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return (
    <li className="rounded-2xl border bg-card p-4">
      <h2 className="font-mono text-sm font-medium break-all">{tool.name}</h2>
      <p className="mt-1 text-sm whitespace-pre-line text-pretty break-words text-muted-foreground">
        {tool.description || t('tools.noDescription')}
      </p>
      {children}
      <details className="mt-2 text-sm">
        <summary className="w-fit cursor-pointer rounded py-0.5 text-muted-foreground">
          {t('tools.parameters')} ({parameters.length})
        </summary>
        {parameters.length === 0 ? (
          <p className="mt-2 text-muted-foreground">{t('tools.noParameters')}</p>
        ) : (
          <dl className="mt-2 space-y-2 border-l-2 pl-3">
            {parameters.map(([name, parameter]) => (
              <div key={name}>
                <dt className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-mono break-all">{name}</span>
                  <span className="text-xs text-muted-foreground">
                    {typeOf(parameter)}
                    {isRequired(name) && ` · ${t('tools.required')}`}
                  </span>
                </dt>
                {typeof parameter?.description === 'string' && (
                  <dd className="break-words text-muted-foreground">{parameter.description}</dd>
                )}
              </div>
            ))}
          </dl>
        )}
      </details>
    </li>
  );
}

function typeOf(parameter: Parameter | null): string {
  if (Array.isArray(parameter?.enum)) return parameter.enum.map(String).join(' | ');
  return [parameter?.type].flat().filter(Boolean).map(String).join(' | ');
}
