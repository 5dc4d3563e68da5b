/** The logo: a P that is also a speech balloon. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0f6b73" />
      <path
        d="M10.5 25.5v-11a6.5 6.5 0 1 1 6.5 6.5h-2"
        fill="none"
        stroke="#fff"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
