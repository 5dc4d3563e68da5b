import { useQuery } from '@tanstack/react-query';
import { pipelineChoiceQuery } from '../../components/bots/bot-queries.ts';
import { RecordSelect } from '../../components/forms/record-controls.tsx';

interface PipelineSelectProps {
  id: string;
  value: string;
  /** Text for no pipeline. */
  none: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  onChange: (uuid: string) => void;
}

/** A pipeline, or none. A deleted one is shown by its id until another is selected. */
export function PipelineSelect({ id, value, none, describedBy, isInvalid = false, onChange }: PipelineSelectProps) {
  const { data: pipelines = [] } = useQuery(pipelineChoiceQuery);
  return (
    <div className="max-w-md">
      <RecordSelect
        id={id}
        value={value}
        none={none}
        describedBy={describedBy}
        isInvalid={isInvalid}
        onChange={onChange}
        records={pipelines}
      />
    </div>
  );
}
