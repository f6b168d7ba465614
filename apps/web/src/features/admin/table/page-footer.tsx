import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { formatCount } from '@uprez/contracts/texts/format';
import { MoreButton } from '../../../ui/feedback/query-view.tsx';
import { adminMessages } from '../messages.ts';

const text = adminMessages.table;

type PageFooterProps = { query: UseInfiniteQueryResult; shown: number; total: number };

/** How many rows of a list are shown, and a button that loads more. */
export const PageFooter = ({ query, shown, total }: PageFooterProps) => (
  <>
    <p className="text-center text-muted text-xs tabular-nums">{text.shown(formatCount(shown), formatCount(total))}</p>
    <MoreButton query={query} />
  </>
);
