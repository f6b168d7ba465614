import { type ArticleKind, type ArticleStatusFilter, articleLimits } from '@uprez/contracts/policy/articles';

const longKindName = (kind: ArticleKind) => (kind === 'post' ? 'Blog post' : kindTitle(kind));

export const blogMessages = {
  title: 'Posts',
  subtitle: 'Blog posts and categories',
  tabsLabel: 'Blog',
  tabs: { posts: 'Posts', categories: 'Categories' },
  success: 'Success',
  failure: 'Error',
  newPost: 'New Post',
  created: 'Blog post created successfully',
  updated: (kind: ArticleKind) => `${longKindName(kind)} updated successfully`,
  scheduled: (kind: ArticleKind) => `${longKindName(kind)} scheduled`,
  deleted: (kind: ArticleKind) => `${longKindName(kind)} deleted successfully`,
  restored: (kind: ArticleKind) => `${longKindName(kind)} restored successfully`,
  caption: 'Posts',
  search: 'Search by title or slug',
  columns: {
    title: 'Title',
    status: 'Status',
    author: 'Author',
    categories: 'Categories',
    published: 'Published',
    updated: 'Updated',
  },
  statuses: {
    draft: 'Draft',
    scheduled: 'Scheduled',
    published: 'Published',
    deleted: 'Deleted',
  } satisfies Record<ArticleStatusFilter, string>,
  allStatuses: 'All',
  status: 'Status',
  untitled: 'Untitled',
  noSlug: 'No slug yet',
  hasChanges: 'Unpublished changes',
  scheduledFor: (at: string) => `Scheduled for ${at}`,
  featured: 'Featured',
  noAuthor: 'No author',
  noValue: '-',
  empty: { title: 'No posts yet', text: 'Write a post, and publish it on the blog.' },
  edit: 'Edit',
  open: 'Open',
  view: 'View on site',
  delete: 'Delete',
  restore: 'Restore',
  deletedOn: (at: string) => `Deleted on ${at}`,
  deleteDialog: {
    title: (name: string) => `Are you sure you want to delete this ${name}?`,
    text: (title: string) =>
      `"${title}" is removed from the site. You can restore it for ${articleLimits.deletedDays} days.`,
    confirm: (name: string) => `Delete ${name}`,
  },
  undo: 'Undo',
} as const;

export const categoryMessages = {
  new: 'New Category',
  columns: { name: 'Name', slug: 'Slug', description: 'Description', created: 'Created' },
  captions: { post: 'Categories', help: 'Categories', position: 'Departments' },
  empty: {
    post: { title: 'No categories yet', text: 'Categories group the posts of the blog.' },
    help: { title: 'No categories yet', text: 'Categories group the questions of the help center.' },
    position: { title: 'No departments yet', text: 'Departments group the open positions.' },
  },
  actions: 'Actions',
  edit: 'Edit',
  delete: 'Delete',
  names: { post: 'category', help: 'category', position: 'department' },
  titles: { post: 'Category', help: 'Category', position: 'Department' },
  created: (title: string) => `${title} created successfully`,
  updated: (title: string) => `${title} updated successfully`,
  deleted: (title: string) => `${title} deleted successfully`,
  createDialog: (name: string, title: string) => ({
    title: `New ${title}`,
    submit: `Create ${name}`,
    pending: 'Creating...',
  }),
  editDialog: (name: string) => ({ title: `Edit ${name}`, submit: `Save ${name}`, pending: 'Saving...' }),
  name: 'Name',
  slug: 'Slug',
  optional: 'optional',
  slugHint: 'Leave empty to generate it from the name.',
  description: 'Description',
  descriptionHint: {
    post: 'Shown on the page of the category.',
    help: 'A note for administrators.',
    position: 'A note for administrators.',
  },
  deleteDialog: {
    title: (kind: string, name: string) => `Delete the ${kind} "${name}"?`,
    text: {
      post: "Its posts stay on the blog without this category. You can't undo this.",
      help: "Its questions leave the help center, but searches still find them. You can't undo this.",
      position: "Its positions stay open without a department. You can't undo this.",
    },
    confirm: (kind: string) => `Delete ${kind}`,
  },
} as const;

/** Names of article kinds for use within a sentence. */
export const kindNames: Record<ArticleKind, string> = {
  post: 'post',
  help: 'help article',
  legal: 'legal text',
  page: 'page',
  position: 'position',
};

/** Returns the name of an article kind for the start of a sentence. */
export const kindTitle = (kind: ArticleKind): string =>
  kindNames[kind].charAt(0).toUpperCase() + kindNames[kind].slice(1);
