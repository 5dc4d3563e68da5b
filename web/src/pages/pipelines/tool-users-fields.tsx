import type { components } from '@parley/client';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LinesControl } from '../../components/forms/controls.tsx';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { type ToolUsers, toolUsersText } from '../../components/tool-users.ts';
import { Select } from '../../components/ui/select.tsx';

interface ToolUsersFieldsProps {
  /** Of an MCP server, if they are known. */
  tools?: readonly components['schemas']['McpTool'][];
  value: ToolUsers;
  onChange: (value: ToolUsers) => void;
}

const choices = ['nobody', 'listed', 'everyone'] as const;
/** Number of tools that are shown initially. */
const manyTools = 8;

/** Who may run the tools of an assigned server or plugin, and the effect on each tool. */
export function ToolUsersFields({ tools = [], value, onChange }: ToolUsersFieldsProps) {
  const { t } = useTranslation();
  const id = useId();
  const help = t('pipelines.toolUsersHelp');
  const usersHelp = t('pipelines.listedUsersHelp');
  const error = value.users.every((user) => /^person_./.test(user)) ? undefined : t('pipelines.listedUsersFault');
  return (
    <div className="mt-2.5 ml-7 space-y-3.5 border-l-2 pl-4">
      <FieldShell id={id} label={t('pipelines.toolUsers')} help={help}>
        <Select
          id={id}
          className="max-w-md"
          aria-describedby={describedBy(id, { help })}
          value={value.allow}
          onChange={(event) => onChange({ ...value, allow: event.target.value as ToolUsers['allow'] })}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {t(`pipelines.toolUsersChoices.${choice}`)}
            </option>
          ))}
        </Select>
      </FieldShell>
      {value.allow === 'listed' && (
        <FieldShell id={`${id}-users`} label={t('pipelines.listedUsers')} help={usersHelp} error={error}>
          <LinesControl
            id={`${id}-users`}
            value={value.users}
            onChange={(users) => onChange({ ...value, users: users as string[] })}
            describedBy={describedBy(`${id}-users`, { help: usersHelp, error })}
            isInvalid={error !== undefined}
          />
        </FieldShell>
      )}
      {tools.length > 0 && (
        <details open={tools.length <= manyTools} className="text-sm">
          <summary className="w-fit cursor-pointer rounded py-0.5 text-muted-foreground">
            {t('pipelines.eachTool', { count: tools.length })}
          </summary>
          <ul className="mt-1.5 space-y-1">
            {tools.map((tool) => (
              <li key={tool.name} className="flex flex-wrap gap-x-2">
                <span className="font-mono break-all">{tool.name}</span>
                <span className="text-muted-foreground">{toolUsersText(t, tool, value)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
