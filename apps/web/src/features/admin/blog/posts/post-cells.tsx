import { type ArticleStatusFilter, articleFilters, type creatableArticleKinds } from '@uprez/contracts/policy/articles';
import type { ArticleRow } from '@uprez/contracts/schemas/content/articles';
import { Plus } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { formatDateTime } from '../../../../lib/format/format.ts';
import { buttonStyle } from '../../../../ui/controls/button.tsx';
import { Segmented } from '../../../../ui/controls/segmented.tsx';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { articlePath, newId } from '../../frame/admin-paths.ts';
import { allChoices, type Table } from '../../table/use-table.ts';
import { blogMessages as text } from '../messages.ts';

export const TitleCell = ({ id, kind, title, slug, featured, deletedAt }: ArticleRow) => (
  <span className="grid">
    <span>
      {deletedAt ? (
        <span className="font-medium">{title || text.untitled}</span>
      ) : (
        <Link to={articlePath(kind, id)} className="font-medium hover:underline">
          {title || text.untitled}
        </Link>
      )}
      {featured && <span className="ml-2 text-muted text-xs">{text.featured}</span>}
    </span>
    <span className="text-muted text-xs">{slug ? `/${slug}` : text.noSlug}</span>
  </span>
);

export const StatusCell = (row: ArticleRow) =>
  row.deletedAt ? (
    <span className="inline-grid justify-items-end gap-0.5 sm:justify-items-start">
      <PostStatusBadge status="deleted" />
      <span className="text-muted text-xs">{text.deletedOn(formatDateTime(row.deletedAt))}</span>
    </span>
  ) : (
    <KeptStatus {...row} />
  );

const KeptStatus = ({ status, hasChanges, publishAt }: ArticleRow) => (
  <span className="inline-grid justify-items-end gap-0.5 sm:justify-items-start">
    <PostStatusBadge status={status} />
    {status === 'scheduled' && publishAt && (
      <span className="text-muted text-xs">{text.scheduledFor(formatDateTime(publishAt))}</span>
    )}
    {status !== 'draft' && hasChanges && <span className="text-muted text-xs">{text.hasChanges}</span>}
  </span>
);

export const AuthorCell = ({ author }: ArticleRow) => (
  <span className="block sm:min-w-24">{author === null ? text.noAuthor : author.firstName || author.email}</span>
);

type NewArticleButtonProps = { kind: (typeof creatableArticleKinds)[number]; label: string };

export const NewArticleButton = ({ kind, label }: NewArticleButtonProps) => (
  <Link to={articlePath(kind, newId)} className={buttonStyle({ look: 'primary' })}>
    <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
    {label}
  </Link>
);

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

export const StatusChips = ({ filter }: { filter: Table<unknown>['filters'][number] }) => (
  <div className="w-full sm:w-[30rem]">
    <Segmented legend={text.status} legendHidden options={options} value={filter.value} onChange={filter.set} />
  </div>
);
