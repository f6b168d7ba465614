import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const kinds = "('post', 'help', 'legal', 'page', 'position')";
const noSeo = `'{"title": "", "description": ""}'`;

const statements = [
  `create table articles (
    id uuid primary key,
    kind text not null check (kind in ${kinds}),
    status text not null default 'draft' check (status in ('draft', 'scheduled', 'published')),
    title text not null default '',
    slug text check (slug <> ''),
    excerpt text not null default '',
    content_md text not null default '',
    html text,
    renderer_version integer,
    reading_minutes integer check (reading_minutes > 0),
    featured boolean not null default false,
    seo jsonb not null default ${noSeo},
    publish_at timestamptz,
    published_at timestamptz,
    revised_at timestamptz,
    author_id uuid references users on delete set null,
    version integer not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    check ((status = 'scheduled') = (publish_at is not null)),
    check ((status = 'published') = (published_at is not null)),
    check (status = 'draft' or (slug is not null and html is not null and renderer_version is not null
      and reading_minutes is not null and revised_at is not null))
  )`,
  'create unique index articles_slug on articles (kind, lower(slug)) where deleted_at is null',
  `create index articles_schedule on articles (publish_at) where status = 'scheduled' and deleted_at is null`,
  `create index articles_public on articles (kind, published_at desc, id desc)
    where status = 'published' and deleted_at is null`,
  'create index articles_updated on articles (kind, updated_at, id) where deleted_at is null',
  'create index articles_author on articles (author_id)',
  'create index articles_deleted on articles (deleted_at) where deleted_at is not null',
  `create table article_drafts (
    article_id uuid primary key references articles on delete cascade,
    title text not null default '',
    slug text not null default '',
    excerpt text not null default '',
    content_md text not null default '',
    category_ids uuid[] not null default '{}',
    featured boolean not null default false,
    seo jsonb not null default ${noSeo},
    has_changes boolean not null default false,
    tab uuid,
    editor_id uuid references users on delete set null,
    saved_at timestamptz,
    preview_version integer,
    preview_html text,
    preview_minutes integer
  )`,
  `create index article_drafts_slug on article_drafts (slug) where slug <> ''`,
  'create index article_drafts_editor on article_drafts (editor_id)',
  `create table article_revisions (
    article_id uuid not null references articles on delete cascade,
    number integer not null check (number > 0),
    fields jsonb not null,
    reason text not null check (reason in ('autosave', 'publish', 'schedule', 'unpublish', 'restore', 'api')),
    editor_id uuid references users on delete set null,
    created_at timestamptz not null default now(),
    primary key (article_id, number)
  )`,
  'create index article_revisions_editor on article_revisions (editor_id)',
  `create index article_revisions_autosaved on article_revisions (created_at) where reason = 'autosave'`,
  `create table categories (
    id uuid primary key,
    kind text not null check (kind in ${kinds}),
    name text not null check (name <> ''),
    slug text not null check (slug <> ''),
    description text not null default '',
    created_at timestamptz not null default now()
  )`,
  'create unique index categories_slug on categories (kind, lower(slug))',
  'create unique index categories_name on categories (kind, lower(name))',
  `create table article_categories (
    article_id uuid not null references articles on delete cascade,
    category_id uuid not null references categories on delete cascade,
    primary key (article_id, category_id)
  )`,
  'create index article_categories_category on article_categories (category_id)',
  `create table slug_redirects (
    kind text not null check (kind in ${kinds}),
    slug text not null,
    article_id uuid not null references articles on delete cascade,
    primary key (kind, slug)
  )`,
  'create index slug_redirects_article on slug_redirects (article_id)',
  `create table preview_links (
    token_hash bytea primary key,
    article_id uuid not null references articles on delete cascade,
    expires_at timestamptz not null
  )`,
  'create index preview_links_article on preview_links (article_id)',
  'create index preview_links_expiry on preview_links (expires_at)',
];

const tables = [
  'preview_links',
  'slug_redirects',
  'article_categories',
  'categories',
  'article_revisions',
  'article_drafts',
  'articles',
];

/** Articles with their drafts, revisions, categories, former slugs, and preview links. */
export const articles: Migration = {
  up: runAll(statements),
  down: runAll(tables.map((table) => `drop table ${table}`)),
};
