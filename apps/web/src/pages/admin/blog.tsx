import { Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { CategoryList } from '../../features/admin/blog/categories/category-list.tsx';
import { NewCategoryButton } from '../../features/admin/blog/categories/new-category-button.tsx';
import { categoryMessages, blogMessages as text } from '../../features/admin/blog/messages.ts';
import { PostList } from '../../features/admin/blog/posts/post-list.tsx';
import { useCreatePost } from '../../features/admin/blog/posts/use-post-mutations.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { postPath } from '../../features/admin/frame/post-path.ts';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';

const tabNames = ['posts', 'categories'] as const;
const newName = 'new';

/** Creates a post when the URL asks for one, and opens it in place of this page. */
function useNewPost() {
  const navigate = useNavigate();
  const mayManage = useMay('content.manage');
  const [params, setParams] = useSearchParams();
  const isAsked = params.get(newName) === 'true';
  const create = useCreatePost((id) => void navigate(postPath(id), { replace: isAsked }));
  const { mutate } = create;
  /** Whether the URL has been answered: an effect may run twice. */
  const answered = useRef(false);
  useEffect(() => {
    if (!isAsked) {
      answered.current = false;
      return;
    }
    if (answered.current) return;
    answered.current = true;
    const removeParam = () =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          after.delete(newName);
          return after;
        },
        { replace: true },
      );
    if (mayManage) mutate(undefined, { onError: removeParam });
    else removeParam();
  }, [isAsked, mayManage, mutate, setParams]);
  return create;
}

/** The posts of the blog, and their categories. */
export function PostsPage() {
  const mayManage = useMay('content.manage');
  const create = useNewPost();
  const [tab, setTab] = useSearchParam({ name: 'tab', choices: tabNames, fallback: 'posts', addsHistory: true });
  const action =
    tab === 'posts' ? (
      <Button pending={create.isPending} onClick={() => create.mutate()}>
        <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.newPost}
      </Button>
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
