import { useWindowVirtualizer } from '@tanstack/react-virtual';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { useLayoutEffect, useRef, useState } from 'react';
import type { RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import { bulkMessages as text } from '../messages.ts';
import type { Row } from '../state/row.ts';
import type { Hold } from '../state/split-run.ts';
import { BulkRow } from './bulk-row.tsx';

/** Longer lists are virtualized. */
const plainRows = 50;
const rowPx = 64;

type BulkListProps = {
  rows: readonly Row[];
  settings: RecipeSettings;
  ownPlan: Plan;
  holds: ReadonlyMap<string, Hold>;
  /** Names of the rows with the same images, by the rows that are free. */
  repeats: ReadonlyMap<string, Row>;
  busy: boolean;
  onRun: (rows: readonly Row[]) => void;
};

const rowStyle = 'border-line border-b last:border-b-0';

function PlainList({ rows, holds, repeats, ...rest }: BulkListProps) {
  return (
    <ul aria-label={text.list}>
      {rows.map((row) => (
        <li key={row.id} className={rowStyle}>
          <BulkRow row={row} hold={holds.get(row.id)} repeatOf={repeats.get(row.id)?.name} {...rest} />
        </li>
      ))}
    </ul>
  );
}

function VirtualList({ rows, holds, repeats, ...rest }: BulkListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // Content above the list changes its height at times.
  useLayoutEffect(() => {
    const top = list.current ? list.current.getBoundingClientRect().top + window.scrollY : 0;
    setScrollMargin((before) => (Math.abs(before - top) < 1 ? before : top));
  });
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
    scrollMargin,
  });
  return (
    <ul ref={list} aria-label={text.list} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const row = rows[index];
        return (
          row && (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              className="absolute inset-x-0 top-0 border-line border-b"
              style={{ transform: `translateY(${start - scrollMargin}px)` }}
            >
              <BulkRow row={row} hold={holds.get(row.id)} repeatOf={repeats.get(row.id)?.name} {...rest} />
            </li>
          )
        );
      })}
    </ul>
  );
}

export function BulkList(props: BulkListProps) {
  return props.rows.length > plainRows ? <VirtualList {...props} /> : <PlainList {...props} />;
}
