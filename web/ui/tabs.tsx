import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

export interface Tab<V extends string> {
  value: V;
  label: ReactNode;
}

interface TabsProps<V extends string> {
  label: string;
  tabs: readonly Tab<V>[];
  value: V;
  onChange: (value: V) => void;
  className?: string;
  children: ReactNode;
}

/** Import it only from chunks that load on demand: it contains the dialog primitives. */
export function Tabs<V extends string>({ label, tabs, value, onChange, className, children }: TabsProps<V>) {
  return (
    <Base.Root value={value} onValueChange={(next: V) => onChange(next)} className={className}>
      <Base.List
        aria-label={label}
        className="relative z-0 mb-5 inline-flex max-w-full gap-1 overflow-x-auto rounded-full border border-line bg-raised p-1"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className={cn(
              'min-h-11 rounded-full px-4 font-semibold whitespace-nowrap text-muted transition-colors hover:text-text data-active:text-on-accent',
            )}
          >
            {tab.label}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute top-1/2 left-0 -z-10 h-11 w-(--active-tab-width) translate-x-(--active-tab-left) -translate-y-1/2 rounded-full bg-accent transition-all duration-200" />
      </Base.List>
      <Base.Panel value={value} data-quiet-focus>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
