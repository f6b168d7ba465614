import { type ReactNode, type Ref, useId } from 'react';

type BillingSectionProps = {
  title: string;
  state?: ReactNode;
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
};

export function BillingSection({ title, state, headingRef, children }: BillingSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border border-line bg-surface p-5 sm:p-7"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 ref={headingRef} id={id} tabIndex={-1} className="scroll-mt-24 text-lg outline-none">
          {title}
        </h2>
        {state}
      </div>
      {children}
    </section>
  );
}
