import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

type TabsProps<T extends string> = {
  label: string;
  value: T;
  onChange: (value: T) => void;
  tabs: readonly Tab<T>[];
};

type Tab<T> = {
  value: T;
  label: string;
  content: ReactNode;
  /** Whether the content stays mounted while another tab is shown. */
  kept?: boolean;
};

export function Tabs<T extends string>({ label, value, onChange, tabs }: TabsProps<T>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as T)} className="grid min-w-0 gap-5">
      <Radix.List
        aria-label={label}
        className="scroll-hint flex gap-1 overflow-x-auto border-line border-b max-[26rem]:gap-0"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="control -mb-px shrink-0 border-transparent border-b-2 px-3 max-[26rem]:px-1.5 text-muted text-sm max-[26rem]:text-[0.8125rem] transition-colors -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          className="min-w-0"
          {...(tab.kept && { forceMount: true, hidden: tab.value !== value })}
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
