import { randomUUID } from 'node:crypto';
import { createClient } from '@uprez/client/create-client';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { postPath } from '@uprez/contracts/texts/site/pages';
import { firstPosts } from '@uprez/domain/content/first-articles/first-articles';
import { compareGoals, percentile, printTable, reportResults } from '@uprez/testing/bench-report';
import type { Answers } from './load/send-at-rate.ts';
import type { Requests } from './load/send-requests.ts';
import { runChild } from './load/start-child.ts';
import { startGatewayBench } from './support/open-verbs.ts';
import { answersRow, p95Figure } from './support/print-latencies.ts';
import { seedHelp } from './support/seed-help.ts';
import { signUpCookie } from './support/sign-up-cookie.ts';

/**
 * Measures pages of the blog, the search of the help center, and other requests while an editor saves and publishes a text
 * of 100 kB again and again. Load, gateway, and database share the machine. Run by `npm run bench:content`.
 */
const articles = 2_000;
const load = { warmUpS: 1, seconds: 10 };
const paragraph = 'Upscaled photos keep their *edges*, and `standard` is fast. See [the plans](/pricing) for more.\n\n';
const longText = paragraph.repeat(Math.floor(99_000 / paragraph.length));

const { product, close } = await startGatewayBench();
try {
  const { url, db } = product;
  const editor = await signUpCookie(url);
  const { id } = (await editor.client.user()).data;
  await db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute();
  const read = async (urls: string[], perSecond: number) =>
    answersRow(
      await runChild<Answers>('send-requests', { urls, cookie: editor.cookie, perSecond, ...load } as Requests),
    );
  const posts = firstPosts.map(({ slug }) => url + postPath(slug));
  const user = [`${url}/api/user`];
  const post = await read(posts, 200);
  const words = await seedHelp(db, articles);
  const search = await read(searchUrls(url, words), 20);
  const quiet = await read(user, 50);
  const saving = saveRepeatedly(url, editor.cookie);
  const busy = await read(user, 50);
  const { savedMs, publishedMs } = await saving.end();
  printTable('Milliseconds', {
    'page of a post, 200/s': post,
    [`search over ${articles} help articles, 20/s`]: search,
    'GET /api/user, 50/s': quiet,
    'GET /api/user while texts of 100 kB are published, 50/s': busy,
  });
  const figures = {
    'page of a post at 200 requests/s, p95': p95Figure(post, 30),
    [`search over ${articles} help articles at 20 requests/s, p95`]: p95Figure(search, 50),
    'saving 100 kB, median': { value: percentile(savedMs) / 1_000, atMost: 3, unit: 's' },
    'publishing 100 kB, median': { value: percentile(publishedMs) / 1_000, atMost: 3, unit: 's' },
    '`GET /api/user` meanwhile, ratio of p50': { value: busy.p50 / quiet.p50, atMost: 2, unit: 'times' },
    '`GET /api/user` meanwhile, ratio of p95': { value: busy.p95 / quiet.p95, atMost: 2, unit: 'times' },
  };
  reportResults('content', compareGoals(figures));
} finally {
  await close();
}

/** Searches for a common word, rare ones, a phrase, the start of a word, and words with a typo. */
function searchUrls(url: string, words: readonly string[]): string[] {
  const at = (rank: number) => words[rank] ?? '';
  const texts = [200, 1_000, 3_000].flatMap((rank) => [
    at(rank % 5),
    `${at(rank)} ${at(rank + 1)}`,
    `"${at(10)} ${at(rank % 7)}"`,
    at(rank).slice(0, 5),
    `${at(rank).slice(0, 4)}x${at(rank).slice(4)} ${at(rank + 2)}`,
  ]);
  return texts.map((text) => `${url}/api/help/search?q=${encodeURIComponent(text)}`);
}

/** Saves and publishes a long text until `end` is called, which returns the times in milliseconds. */
function saveRepeatedly(url: string, cookie: string) {
  const client = createClient(adminRoutes, {
    baseUrl: url,
    fetch: (input, init) => {
      const headers = { ...Object.fromEntries(new Headers(init?.headers)), cookie, origin: url };
      return fetch(input, { ...init, headers });
    },
  });
  const [savedMs, publishedMs]: [number[], number[]] = [[], []];
  let isEnding = false;
  const run = async () => {
    const { data: article } = await client.adminCreateArticle({ body: { kind: 'post' } });
    const params = { id: article.id };
    let { version } = article;
    for (let round = 1; !isEnding; round += 1) {
      const fields = { ...article.fields, title: 'A long text', content: `Edition ${round}.\n\n${longText}` };
      const start = performance.now();
      const { data: saved } = await client.adminSaveDraft({ params, body: { fields, version, tab: randomUUID() } });
      savedMs.push(performance.now() - start);
      const { data: published } = await client.adminPublishArticle({ params, body: { version: saved.version } });
      publishedMs.push(performance.now() - start - (savedMs.at(-1) ?? 0));
      version = published.version;
    }
  };
  const running = run();
  return {
    end: async () => {
      isEnding = true;
      await running;
      return { savedMs, publishedMs };
    },
  };
}
