import { retention } from '@uprez/contracts/plans';
import type { ReactNode } from 'react';
import { messages } from '../../messages.ts';
import { EstimateTable } from './estimate-table.tsx';
import { sample } from './sample.ts';

const text = messages.landing;

type FeatureProps = { title: string; sentence: string; children: ReactNode };

/** One claim with its evidence above it. */
function Feature({ title, sentence, children }: FeatureProps) {
  return (
    <li className="grid content-start gap-2">
      <div className="mb-3 h-44 overflow-hidden rounded-card border border-line bg-surface">{children}</div>
      <h3 className="text-base">{title}</h3>
      <p className="text-muted text-sm">{sentence}</p>
    </li>
  );
}

/** The same corner of the sample, before and after. */
function Crops() {
  const style = 'h-full w-1/2 bg-[length:320%] bg-position-[28%_30%] bg-no-repeat';
  return (
    <div className="flex h-full gap-px bg-line">
      <div className={style} style={{ backgroundImage: `url(${sample.before})` }} />
      <div className={style} style={{ backgroundImage: `url(${sample.after})` }} />
    </div>
  );
}

function DeletionTable() {
  const rows = text.deletion(retention.resultMinutes / 60, retention.failedSourceMinutes);
  return (
    <dl className="grid h-full grid-rows-4 divide-y divide-line text-sm">
      {rows.map(([what, when]) => (
        <div key={what} className="flex items-center justify-between gap-3 px-4">
          <dt className="text-muted">{what}</dt>
          <dd className="text-right font-medium tabular-nums">{when}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the product promises, each promise with the thing that shows it. */
export function FeatureList({ id }: { id: string }) {
  return (
    <section id={id} className="border-line border-t">
      <div className="mx-auto max-w-300 px-4 py-14 sm:px-6 sm:py-20">
        <h2 className="mb-8 text-xl">{text.features}</h2>
        <ul className="grid gap-10 md:grid-cols-3 md:gap-8">
          <Feature {...text.network}>
            <Crops />
          </Feature>
          <Feature {...text.forecast}>
            <EstimateTable />
          </Feature>
          <Feature {...text.gone}>
            <DeletionTable />
          </Feature>
        </ul>
      </div>
    </section>
  );
}
