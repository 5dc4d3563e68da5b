import { useQuery } from '@tanstack/react-query';
import { pipelineChoiceQuery } from '../../components/bots/bot-queries.ts';
import { Select } from '../../components/ui/select.tsx';

interface PipelineSelectProps {
  id: string;
  value: string;
  /** What is said for no pipeline. */
  none: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  onChange: (uuid: string) => void;
}

/** One of the pipelines, or none. One that is gone stays named by its id until another is chosen. */
export function PipelineSelect({ id, value, none, describedBy, isInvalid = false, onChange }: PipelineSelectProps) {
  const { data: pipelines = [] } = useQuery(pipelineChoiceQuery);
  const isKnown = value === '' || pipelines.some(({ uuid }) => uuid === value);
  return (
    <Select
      id={id}
      className="max-w-md"
      aria-describedby={describedBy}
      aria-invalid={isInvalid || undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{none}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {pipelines.map(({ uuid, name }) => (
        <option key={uuid} value={uuid}>
          {name}
        </option>
      ))}
    </Select>
  );
}
