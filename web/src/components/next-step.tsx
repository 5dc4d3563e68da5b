import { Link } from '@tanstack/react-router';

interface NextStepProps {
  to: '/knowledge/new' | '/tools/servers/new';
  children: string;
}

/** A link within a text, to where a missing record is created. */
export function NextStep({ to, children }: NextStepProps) {
  return (
    <Link to={to} className="rounded font-medium text-primary underline underline-offset-4">
      {children}
    </Link>
  );
}
