import type { ArticleStatusFilter } from '@uprez/contracts/policy/articles';
import type { ComponentProps } from 'react';
import { Badge } from '../../../ui/feedback/badge.tsx';
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
