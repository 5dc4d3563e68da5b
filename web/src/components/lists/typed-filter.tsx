import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Input } from '../ui/input.tsx';

interface TypedFilterProps {
  label: string;
  value: string | undefined;
  longest: number;
  onChange: (value: string | undefined) => void;
  className?: string;
  hasIcon?: boolean;
}

/** A text filter that is applied with a delay. */
export function TypedFilter({ label, value, longest, onChange, className = '', hasIcon = false }: TypedFilterProps) {
  const [typed, setTyped] = useState(value ?? '');
  // The URL may change otherwise: going back, clearing all.
  useEffect(() => setTyped(value ?? ''), [value]);
  useEffect(() => {
    if (typed === (value ?? '')) return;
    const timer = setTimeout(() => onChange(typed || undefined), 400);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <div className={`relative ${className}`}>
      {hasIcon && (
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3.5 size-4.5 -translate-y-1/2 text-muted-foreground"
        />
      )}
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={longest}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className={hasIcon ? 'pl-10' : ''}
      />
    </div>
  );
}
