export const contentTables: readonly string[] = [
  `create table categories (
    id uuid primary key,
    kind text not null check (kind in ('post', 'help', 'legal', 'page', 'position')),
    name text not null check (name <> ''),
    slug text not null check (slug <> ''),
    description text not null default '',
    created_at timestamptz not null default now()
  )`,
  'create unique index categories_slug on categories (kind, lower(slug))',
  'create unique index categories_name on categories (kind, lower(name))',
  `create table category_redirects (
    kind text not null,
    slug text not null,
    category_id uuid not null references categories on delete cascade,
    primary key (kind, slug)
  )`,
  'create index category_redirects_category on category_redirects (category_id)',
  `create table media (
    id uuid primary key,
    name text not null check (name <> ''),
    type text not null,
    size bigint not null,
    width integer,
    height integer,
    alt text not null default '',
    version integer not null default 1 check (version > 0),
    state text not null default 'ready' check (state in ('processing', 'ready', 'failed')),
    attempt integer not null default 0,
    failures integer not null default 0,
    lease_until timestamptz,
    uploader_id uuid references users on delete set null,
    created_at timestamptz not null default now(),
    deleted_at timestamptz,
    change integer not null default 0,
    shown_change integer not null default 0
  )`,
  "create index media_processing on media (created_at) where state = 'processing'",
  'create index media_created on media (created_at, id)',
  'create index media_deleted on media (deleted_at) where deleted_at is not null',
  'create index media_uploader on media (uploader_id)',
  'create index media_stale on media (id) where shown_change < change',
  `create table articles (
    id uuid primary key,
    kind text not null check (kind in ('post', 'help', 'legal', 'page', 'position')),
    status text not null default 'draft' check (status in ('draft', 'scheduled', 'published')),
    title text not null default '',
    slug text check (slug <> ''),
    excerpt text not null default '',
    content_md text not null default '',
    html text,
    renderer_version integer,
    reading_minutes integer check (reading_minutes > 0),
    featured boolean not null default false,
    seo jsonb not null default '{"title": "", "description": ""}',
    publish_at timestamptz,
    published_at timestamptz,
    revised_at timestamptz,
    author_id uuid references users on delete set null,
    version integer not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    place integer not null default 0,
    featured_media_id uuid references media on delete set null,
    check ((status = 'scheduled') = (publish_at is not null)),
    check ((status = 'published') = (published_at is not null)),
    check (status = 'draft' or (slug is not null and html is not null and renderer_version is not null
      and reading_minutes is not null and revised_at is not null))
  )`,
  'create unique index articles_slug on articles (kind, lower(slug)) where deleted_at is null',
  "create index articles_schedule on articles (publish_at) where status = 'scheduled' and deleted_at is null",
  `create index articles_public on articles (kind, published_at desc, id desc)
    where status = 'published' and deleted_at is null`,
  'create index articles_updated on articles (kind, updated_at, id) where deleted_at is null',
  'create index articles_author on articles (author_id)',
  'create index articles_deleted on articles (deleted_at) where deleted_at is not null',
  'create index articles_place on articles (kind, place, id) where deleted_at is null',
  'create index articles_featured_media on articles (featured_media_id)',
  `create table article_drafts (
    article_id uuid primary key references articles on delete cascade,
    title text not null default '',
    slug text not null default '',
    excerpt text not null default '',
    content_md text not null default '',
    category_ids uuid[] not null default '{}',
    featured boolean not null default false,
    seo jsonb not null default '{"title": "", "description": ""}',
    has_changes boolean not null default false,
    tab uuid,
    editor_id uuid references users on delete set null,
    saved_at timestamptz,
    preview_version integer,
    preview_html text,
    preview_minutes integer,
    featured_media_id uuid references media on delete set null
  )`,
  "create index article_drafts_slug on article_drafts (slug) where slug <> ''",
  'create index article_drafts_editor on article_drafts (editor_id)',
  'create index article_drafts_featured_media on article_drafts (featured_media_id)',
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
  "create index article_revisions_autosaved on article_revisions (created_at) where reason = 'autosave'",
  // The number of a withdrawn version isn't reused, because users may have accepted that version.
  `create table legal_versions (
    article_id uuid not null references articles on delete cascade,
    number integer not null check (number > 0),
    revision integer not null,
    html text not null,
    published_at timestamptz not null default now(),
    effective_at timestamptz not null,
    must_accept boolean not null default false,
    withdrawn_at timestamptz,
    check (effective_at >= published_at),
    primary key (article_id, number),
    foreign key (article_id, revision) references article_revisions (article_id, number)
  )`,
  `create table article_categories (
    article_id uuid not null references articles on delete cascade,
    category_id uuid not null references categories on delete cascade,
    primary key (article_id, category_id)
  )`,
  'create index article_categories_category on article_categories (category_id)',
  `create table slug_redirects (
    kind text not null check (kind in ('post', 'help', 'legal', 'page', 'position')),
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
  `create table media_files (
    media_id uuid not null references media on delete cascade,
    version integer not null check (version > 0),
    width integer check (width > 0),
    format text not null,
    object_id uuid not null unique references objects,
    superseded_at timestamptz,
    unique nulls not distinct (media_id, version, width, format)
  )`,
  'create index media_files_superseded on media_files (superseded_at) where superseded_at is not null',
  `create table media_uses (
    media_id uuid not null references media on delete cascade,
    article_id uuid not null references articles on delete cascade,
    field text not null check (field in ('content', 'featuredImage')),
    primary key (media_id, article_id, field)
  )`,
  'create index media_uses_article on media_uses (article_id)',
  `create table legal_media (
    article_id uuid not null,
    number integer not null,
    media_id uuid not null references media,
    version integer check (version > 0),
    primary key (article_id, number, media_id),
    foreign key (article_id, number) references legal_versions (article_id, number) on delete cascade
  )`,
  'create index legal_media_media on legal_media (media_id)',
  // Help center search keeps words such as "not", which a list of stop words would drop.
  'create text search dictionary help_stem (template = snowball, language = english)',
  'create text search configuration help_words (copy = english)',
  'alter text search configuration help_words alter mapping replace english_stem with help_stem',
  `create table article_search (
    article_id uuid primary key references articles on delete cascade,
    vector tsvector not null,
    body text not null
  )`,
  // `fastupdate` is off, because articles are searched far more often than they are published. Without a list of
  // pending entries, a search reads only the index, and the planner still prefers the index right after many articles
  // were published (https://www.postgresql.org/docs/current/gin.html#GIN-FAST-UPDATE).
  'create index article_search_vector on article_search using gin (vector) with (fastupdate = off)',
  'create table search_words (word text primary key)',
  'create index search_words_trigrams on search_words using gin (word gin_trgm_ops) with (fastupdate = off)',
  `create table search_days (
    day date not null,
    term text not null check (term <> ''),
    searches integer not null default 0 check (searches >= 0),
    missed integer not null default 0 check (missed >= 0),
    primary key (day, term)
  )`,
  `create table article_votes (
    article_id uuid not null references articles on delete cascade,
    day date not null,
    yes integer not null default 0 check (yes >= 0),
    no integer not null default 0 check (no >= 0),
    primary key (article_id, day)
  )`,
];
