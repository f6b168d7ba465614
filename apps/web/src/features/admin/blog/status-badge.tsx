import { type ArticleStatusFilter, articleFilters } from '@uprez/contracts/policy/articles';
import type { ComponentProps } from 'react';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { allChoices, type Table } from '../table/use-table.ts';
import { blogMessages as text } from './messages.ts';

const kinds: Record<ArticleStatusFilter, ComponentProps<typeof Badge>['kind']> = {
  draft: 'neutral',
  scheduled: 'info',
  published: 'success',
  deleted: 'danger',
};

export const PostStatusBadge = ({ status }: { status: ArticleStatusFilter }) => (
  <Badge kind={kinds[status]}>{text.statuses[status]}</Badge>
);

const options = [
  { value: allChoices, label: text.allStatuses },
  ...articleFilters.map((value) => ({ value, label: text.statuses[value] })),
];

/** Filters a list by status with a row of chips. */
export const StatusChips = ({ filter }: { filter: Table<unknown>['filters'][number] }) => (
  <div className="w-full sm:w-[30rem]">
    <Segmented legend={text.status} legendHidden options={options} value={filter.value} onChange={filter.set} />
  </div>
);
