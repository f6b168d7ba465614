import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { SearchCount, VoteCount } from '@uprez/contracts/schemas/content/help';
import { formatCount, formatDay } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { Link } from 'react-router';
import { useSearchParam } from '../../../lib/browser/use-search-param.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { EmptyState, NoActivityArt } from '../../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { adminApi } from '../admin-api.ts';
import { CategoryList, NewCategoryButton } from '../blog/categories/category-list.tsx';
import { categoryMessages } from '../blog/messages.ts';
import { NewArticleButton } from '../blog/posts/post-cells.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { articlePath } from '../frame/admin-paths.ts';
import { useHasPermission } from '../frame/use-own-user.ts';
import { type PlainColumn, QueryTable } from '../users/plain-table.tsx';
import { ArticleList, articleMessages } from './article-list.tsx';

const text = articleMessages.help;
const tabNames = ['articles', 'categories', 'searches', 'votes'] as const;

export function HelpPage() {
  const mayManage = useHasPermission('content.manage');
  const [tab, setTab] = useSearchParam({ name: 'tab', choices: tabNames, fallback: 'articles', addsHistory: true });
  const action =
    tab === 'categories' ? (
      <NewCategoryButton kind="help" label={categoryMessages.new} />
    ) : (
      <NewArticleButton kind="help" label={text.new} />
    );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && action}>
      <Tabs
        label={text.tabsLabel}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'articles', label: text.tabs.articles, content: <ArticleList kind="help" /> },
          { value: 'categories', label: text.tabs.categories, content: <CategoryList kind="help" /> },
          { value: 'searches', label: text.tabs.searches, content: <SearchList /> },
          { value: 'votes', label: text.tabs.votes, content: <VoteList /> },
        ]}
      />
    </AdminPage>
  );
}

const { searches, votes } = articleMessages;

const searchColumns: PlainColumn<SearchCount>[] = [
  { name: searches.term, cell: ({ term }) => <span className="font-medium wrap-anywhere">{term}</span> },
  { name: searches.count, cell: (row) => formatCount(row.searches) },
  { name: searches.missed, cell: ({ missed }) => formatCount(missed) },
  { name: searches.last, cell: ({ lastDay }) => formatDay(lastDay) },
];

function SearchList() {
  const [onlyMissed, setOnlyMissed] = useState(true);
  const missed = onlyMissed ? 'true' : 'false';
  const query = useQuery({
    queryKey: [adminRoutes.adminListSearches.path, missed],
    queryFn: async ({ signal }) => (await adminApi.adminListSearches({ query: { missed }, signal })).data,
    refetchOnMount: 'always',
  });
  return (
    <Card>
      <Checkbox label={searches.onlyMissed} checked={onlyMissed} onChange={setOnlyMissed} />
      <QueryTable
        query={query}
        skeleton={<Skeleton className="h-48" />}
        empty={<EmptyState {...searches.empty} illustration={<NoActivityArt />} />}
        caption={searches.caption}
        columns={searchColumns}
        rowKey={({ term }) => term}
      />
    </Card>
  );
}

const voteColumns: PlainColumn<VoteCount>[] = [
  {
    name: votes.article,
    cell: ({ id, title }) => (
      <Link to={articlePath('help', id)} className="font-medium hover:underline">
        {title}
      </Link>
    ),
  },
  { name: votes.yes, cell: ({ yes }) => formatCount(yes) },
  { name: votes.no, cell: ({ no }) => formatCount(no) },
];

function VoteList() {
  const query = useQuery({
    queryKey: [adminRoutes.adminListVotes.path],
    queryFn: async ({ signal }) => (await adminApi.adminListVotes({ signal })).data,
    refetchOnMount: 'always',
  });
  return (
    <Card>
      <QueryTable
        query={query}
        skeleton={<Skeleton className="h-48" />}
        empty={<EmptyState {...votes.empty} illustration={<NoActivityArt />} />}
        caption={votes.caption}
        columns={voteColumns}
        rowKey={({ id }) => id}
      />
    </Card>
  );
}
