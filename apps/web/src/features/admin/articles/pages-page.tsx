import { legalFactNames, legalFacts } from '@uprez/contracts/policy/legal-texts';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { formatList } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSite } from '../../../lib/api/queries.ts';
import { useSearchParam } from '../../../lib/browser/use-search-param.ts';
import { linkStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { CategoryList, NewCategoryButton } from '../blog/categories/category-list.tsx';
import { NewArticleButton } from '../blog/posts/post-cells.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { ArticleList, articleMessages } from './article-list.tsx';

const text = articleMessages.pages;

const tabNames = ['pages', 'legal', 'positions', 'departments'] as const;

export function PagesPage() {
  const mayManage = useHasPermission('content.manage');
  const [tab, setTab] = useSearchParam({ name: 'tab', choices: tabNames, fallback: 'pages', addsHistory: true });
  const actions: Partial<Record<typeof tab, ReactNode>> = {
    positions: <NewArticleButton kind="position" label={text.new} />,
    departments: <NewCategoryButton kind="position" label={text.newDepartment} />,
  };
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && actions[tab]}>
      {tab === 'legal' && <MissingFacts />}
      <Tabs
        label={text.tabsLabel}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'pages', label: text.tabs.pages, content: <ArticleList kind="page" /> },
          { value: 'legal', label: text.tabs.legal, content: <ArticleList kind="legal" /> },
          { value: 'positions', label: text.tabs.positions, content: <ArticleList kind="position" /> },
          { value: 'departments', label: text.tabs.departments, content: <CategoryList kind="position" /> },
        ]}
      />
    </AdminPage>
  );
}

function MissingFacts() {
  const mayRead = useHasPermission('settings.read');
  const { data: site } = useSite();
  const missing = site ? legalFacts.filter((name) => site[name].trim() === '') : [];
  if (missing.length === 0) return null;
  return (
    <Notice kind="warning">
      {text.missing(formatList(missing.map((name) => legalFactNames[name])))}{' '}
      {mayRead && (
        <Link to={adminPages.settings} className={`${linkStyle} px-0!`}>
          {text.enterFacts}
        </Link>
      )}
    </Notice>
  );
}
