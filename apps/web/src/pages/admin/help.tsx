import { ArticleList } from '../../features/admin/articles/article-list.tsx';
import { SearchList, VoteList } from '../../features/admin/articles/help-statistics.tsx';
import { articleMessages } from '../../features/admin/articles/messages.ts';
import { NewArticleButton } from '../../features/admin/articles/new-article-button.tsx';
import { CategoryList } from '../../features/admin/blog/categories/category-list.tsx';
import { NewCategoryButton } from '../../features/admin/blog/categories/new-category-button.tsx';
import { categoryMessages } from '../../features/admin/blog/messages.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { Tabs } from '../../ui/layout/tabs.tsx';

const text = articleMessages.help;
const tabNames = ['articles', 'categories', 'searches', 'votes'] as const;

/** The articles of the help center, and what readers search and think of them. */
export function HelpPage() {
  const mayManage = useMay('content.manage');
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
