import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  `create table legal_versions (
    article_id uuid not null references articles on delete cascade,
    number integer not null check (number > 0),
    revision integer not null,
    html text not null,
    published_at timestamptz not null default now(),
    effective_at timestamptz not null,
    must_accept boolean not null default false,
    primary key (article_id, number),
    foreign key (article_id, revision) references article_revisions (article_id, number),
    check (effective_at >= published_at)
  )`,
  // Earlier texts were never numbered, so what is public becomes the first version.
  `insert into legal_versions (article_id, number, revision, html, published_at, effective_at)
    select articles.id, 1, published.number, articles.html, articles.revised_at, articles.revised_at
    from articles cross join lateral (
      select max(number) as number from article_revisions
      where article_id = articles.id and reason = 'publish' having count(*) > 0
    ) published
    where articles.kind = 'legal' and articles.status = 'published'`,
  `create table category_redirects (
    kind text not null,
    slug text not null,
    category_id uuid not null references categories on delete cascade,
    primary key (kind, slug)
  )`,
  'create index category_redirects_category on category_redirects (category_id)',
  `create table term_acceptances (
    user_id uuid not null references users on delete cascade,
    version integer not null check (version > 0),
    accepted_at timestamptz not null default now(),
    address text,
    primary key (user_id, version)
  )`,
  `insert into term_acceptances (user_id, version, accepted_at)
    select id, 1, terms_accepted_at from users where terms_accepted_at is not null`,
  'alter table users drop terms_accepted_at',
  `alter table users alter terms_version type integer using case when terms_version is not null then 1 end`,
];

/** Versions of legal texts, which version of the terms of service users accepted, and former slugs of categories. */
export const legalVersions: Migration = {
  up: runAll(statements),
  down: runAll([
    'alter table users alter terms_version type text',
    'alter table users add terms_accepted_at timestamptz',
    'drop table category_redirects',
    'drop table term_acceptances',
    'drop table legal_versions',
  ]),
};
