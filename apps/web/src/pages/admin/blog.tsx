import { Navigate, useSearchParams } from 'react-router';
import { NewArticleButton } from '../../features/admin/articles/new-article-button.tsx';
import { CategoryList } from '../../features/admin/blog/categories/category-list.tsx';
import { NewCategoryButton } from '../../features/admin/blog/categories/new-category-button.tsx';
import { categoryMessages, blogMessages as text } from '../../features/admin/blog/messages.ts';
import { PostList } from '../../features/admin/blog/posts/post-list.tsx';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { newId } from '../../features/admin/frame/article-path.ts';
import { postPath } from '../../features/admin/frame/post-path.ts';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { Tabs } from '../../ui/layout/tabs.tsx';

const tabNames = ['posts', 'categories'] as const;

/** The posts of the blog, and their categories. */
export function PostsPage() {
  const mayManage = useMay('content.manage');
  const [params] = useSearchParams();
  const [tab, setTab] = useSearchParam({ name: 'tab', choices: tabNames, fallback: 'posts', addsHistory: true });
  if (params.get('new') === 'true') return <Navigate to={postPath(newId)} replace />;
  const action =
    tab === 'posts' ? (
      <NewArticleButton kind="post" label={text.newPost} />
    ) : (
      <NewCategoryButton kind="post" label={categoryMessages.new} />
    );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && action}>
      <Tabs
        label={text.tabsLabel}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'posts', label: text.tabs.posts, content: <PostList /> },
          { value: 'categories', label: text.tabs.categories, content: <CategoryList kind="post" /> },
        ]}
      />
    </AdminPage>
  );
}
