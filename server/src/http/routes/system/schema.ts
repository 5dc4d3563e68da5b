import Type from 'typebox';
import { ReplicaList } from '../../../core/replicas/replica-view.ts';
import { SystemInfo } from '../../../core/system/system-info.ts';
import { SystemStatus } from '../../../core/system/system-status.ts';
import { WizardEnd, WizardProgress } from '../../../core/system/wizard.ts';

const EndOfWizard = Type.Object(
  { status: Type.Optional({ ...WizardEnd, description: 'Default: `completed`.' }) },
  { additionalProperties: false },
);

/** The body is optional. */
export const EndWizard = Type.Union([EndOfWizard, Type.Null()]);

export const PluginSystemStatus = Type.Object({
  is_enable: Type.Boolean(),
  is_connected: Type.Boolean(),
  plugin_connector_error: Type.String({ description: '`ok`, or the error.' }),
});

export { ReplicaList, SystemInfo, SystemStatus, WizardProgress };
