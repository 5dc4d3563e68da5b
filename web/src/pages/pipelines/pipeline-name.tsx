interface PipelineNameProps {
  pipeline: { name: string; emoji: string | null };
}

/** The name of a pipeline with its decorative emoji. */
export function PipelineName({ pipeline: { name, emoji } }: PipelineNameProps) {
  return (
    <>
      {emoji && (
        <span aria-hidden className="mr-2">
          {emoji}
        </span>
      )}
      {name}
    </>
  );
}
