import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { failureOfRecord } from '../../lib/failure.ts';
import { FailureContent, type FailurePlaces } from '../failure/failure-content.tsx';
import type { Explanation } from './explanation.ts';
import { modelOwnersQuery } from './model-owners-query.ts';

interface ExplainFailureProps {
  explanation: Explanation;
  /** Whether a link leads to the trace. */
  linksTrace?: boolean;
}

/** Why a message failed: the reason, what to do, what the other side returned, and where to change it. */
export function ExplainFailure({ explanation, linksTrace = false }: ExplainFailureProps) {
  const { t } = useTranslation();
  const { failure, message, model_calls } = explanation;
  const model = model_calls.findLast(({ reason }) => reason !== null)?.model_uuid ?? null;
  const isOfProvider = failure !== null && model !== null && providerReasons.test(failure.reason);
  const owners = useQuery({ ...modelOwnersQuery, enabled: isOfProvider });
  if (failure === null) return null;
  const places: FailurePlaces = {
    ...(isOfProvider && { provider: owners.data?.get(model) }),
    ...(botReasons.test(failure.reason) && { bot: message.bot_uuid }),
    ...(pipelineReasons.test(failure.reason) && message.pipeline_uuid !== '' && { pipeline: message.pipeline_uuid }),
    ...(linksTrace && { message: message.uuid }),
  };
  return (
    <div className="mt-2 flex items-start gap-2.5 rounded-xl bg-destructive-soft px-3.5 py-3 text-sm text-destructive">
      <CircleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0" />
      <FailureContent failure={failureOfRecord(failure, t)} places={places} />
    </div>
  );
}

/** Reasons that are settled at the model provider; `quota` may also be one of the platform. */
const providerReasons = /^(?:provider_|unknown_model$|quota$)/;
const botReasons = /^(?:platform_|bot_|no_pipeline$|unknown_target$|blocked$|uncertain$)/;
const pipelineReasons =
  /^(?:model_not_configured|runner_not_found|step_limit|time_limit|stage_failed|invalid_pattern|invalid_request)$/;
