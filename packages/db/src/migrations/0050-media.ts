import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
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
    deleted_at timestamptz
  )`,
  `create index media_processing on media (created_at) where state = 'processing'`,
  'create index media_created on media (created_at, id)',
  'create index media_deleted on media (deleted_at) where deleted_at is not null',
  'create index media_uploader on media (uploader_id)',
  'alter table objects drop constraint objects_kind_check',
  `alter table objects add constraint objects_kind_check
    check (kind in ('source', 'result', 'thumbnail', 'export', 'ticket', 'media'))`,
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
  ...['articles', 'article_drafts'].flatMap((table) => [
    `alter table ${table} add featured_media_id uuid references media on delete set null`,
    `create index ${table}_featured_media on ${table} (featured_media_id)`,
  ]),
];

/** The media library, and which articles use it. */
export const media: Migration = {
  up: runAll(statements),
  down: runAll([
    'alter table article_drafts drop featured_media_id',
    'alter table articles drop featured_media_id',
    'drop table media_uses',
    'drop table media_files',
    'drop table media',
    `delete from objects where kind = 'media'`,
    'alter table objects drop constraint objects_kind_check',
    `alter table objects add constraint objects_kind_check
      check (kind in ('source', 'result', 'thumbnail', 'export', 'ticket'))`,
  ]),
};
