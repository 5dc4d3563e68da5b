import { Tabs as Parts } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';

export interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: string; badge?: ReactNode; content: ReactNode }[];
}

/** Tabs of a page. Store the selected one in the URL, so that it can be linked. */
export function Tabs<Value extends string>({ label, value, onChange, tabs }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  // On a phone the selected tab may be out of view. The page itself does not scroll.
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>(`[data-tab="${value}"]`);
    if (!list.current || !chosen) return;
    const hidden = chosen.offsetLeft + chosen.offsetWidth - list.current.offsetLeft - list.current.clientWidth;
    list.current.scrollLeft = Math.max(0, hidden);
  }, [value]);
  return (
    <Parts.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <Parts.List
        ref={list}
        aria-label={label}
        className="scroll-hint mb-6 flex gap-1 overflow-x-auto border-b [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Parts.Trigger
            key={tab.value}
            value={tab.value}
            data-tab={tab.value}
            className="-mb-px flex h-10 shrink-0 items-center gap-2 border-b-2 border-transparent px-3 text-sm whitespace-nowrap text-muted-foreground transition-colors -outline-offset-2 hover:text-foreground data-[state=active]:border-primary data-[state=active]:font-medium data-[state=active]:text-foreground"
          >
            {tab.label}
            {tab.badge}
          </Parts.Trigger>
        ))}
      </Parts.List>
      {tabs.map((tab) => (
        <Parts.Content key={tab.value} value={tab.value} className="outline-offset-4">
          {tab.content}
        </Parts.Content>
      ))}
    </Parts.Root>
  );
}
