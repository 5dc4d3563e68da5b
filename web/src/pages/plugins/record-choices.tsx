import type { UseQueryResult } from '@tanstack/react-query';
import { Loaded } from '../../components/states/loaded.tsx';
import { LabelledCheckbox } from '../../components/ui/labelled-checkbox.tsx';

interface RecordChoicesProps {
  /** For screen readers. */
  label: string;
  /** Where there are no records. */
  none: string;
  records: UseQueryResult<{ uuid: string; name: string }[]>;
  /** Uuids of the chosen ones. */
  value: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Below a chosen one. */
  more?: (uuid: string) => React.ReactNode;
}

/** Any number of records. A deleted one is shown by its id until it is dropped. */
export function RecordChoices({ label, none, records, value, onChange, more }: RecordChoicesProps) {
  return (
    <Loaded query={records} rows={2}>
      {(known) => {
        const gone = value.filter((uuid) => !known.some((record) => record.uuid === uuid));
        const all = [...known, ...gone.map((uuid) => ({ uuid, name: uuid }))];
        if (all.length === 0) return <p className="text-sm text-muted-foreground">{none}</p>;
        return (
          <fieldset aria-label={label} className="space-y-3">
            {all.map(({ uuid, name }) => {
              const isChosen = value.includes(uuid);
              return (
                <div key={uuid}>
                  <LabelledCheckbox
                    checked={isChosen}
                    onChange={(checked) => onChange(checked ? [...value, uuid] : value.filter((one) => one !== uuid))}
                  >
                    {name}
                  </LabelledCheckbox>
                  {isChosen && more?.(uuid)}
                </div>
              );
            })}
          </fieldset>
        );
      }}
    </Loaded>
  );
}
