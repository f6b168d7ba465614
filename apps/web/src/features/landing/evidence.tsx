import type { ReactNode } from 'react';
import { useEngines } from '../../lib/api/use-engines.ts';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Crops } from './crops.tsx';
import { EstimateTable, tableFactor } from './estimate-table.tsx';
import { FactRows } from './fact-rows.tsx';
import { landingMessages } from './messages.ts';

const text = landingMessages.features;

type ClaimProps = { title: string; sentence: string; children: ReactNode };

/** A claim with its evidence above. */
function Claim({ title, sentence, children }: ClaimProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] content-start items-center gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-1">
      <div className="h-52 overflow-hidden rounded-card border border-line bg-surface">{children}</div>
      <div className="grid gap-2">
        <h3 className="text-base">{title}</h3>
        <p className="text-muted text-sm">{sentence}</p>
      </div>
    </li>
  );
}

/** Claims about the product, each with evidence. */
export function Evidence() {
  const engines = useEngines();
  const auto = engines.data?.find(({ isAuto }) => isAuto)?.name;
  return (
    <ul className="grid gap-8 lg:grid-cols-3">
      <Claim {...text.network}>
        <Crops />
      </Claim>
      <Claim title={text.forecast.title} sentence={text.forecast.sentence(tableFactor, auto)}>
        <QueryView query={engines} skeleton={<Skeleton className="m-4 h-44" />}>
          {(data) => <EstimateTable engines={data} />}
        </QueryView>
      </Claim>
      <Claim title={text.failure.title} sentence={text.failure.sentence}>
        <FactRows rows={[...text.failure.rows, text.failure.total]} />
      </Claim>
    </ul>
  );
}
