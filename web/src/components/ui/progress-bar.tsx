interface ProgressBarProps {
  /** Label for screen readers. */
  label: string;
  /** From 0 to 1; null if unknown. */
  part: number | null;
}

/** A progress bar. */
export function ProgressBar({ label, part }: ProgressBarProps) {
  const percent = part === null ? null : Math.round(Math.min(1, Math.max(0, part)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === null ? {} : { 'aria-valuenow': percent })}
      className="h-1.5 w-full overflow-hidden rounded-full bg-muted"
    >
      <div
        className={
          percent === null
            ? 'h-full w-1/3 rounded-full bg-primary motion-safe:animate-pulse'
            : 'h-full rounded-full bg-primary transition-[width] duration-300'
        }
        {...(percent === null ? {} : { style: { width: `${percent}%` } })}
      />
    </div>
  );
}
