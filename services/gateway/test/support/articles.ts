import { randomUUID } from 'node:crypto';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import type { Article, ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { SignedIn } from '@uprez/testing/sign-up';

const noText: ArticleFields = {
  title: '',
  slug: '',
  excerpt: '',
  content: '',
  categoryIds: [],
  featured: false,
  seo: { title: '', description: '' },
  featuredMediaId: null,
};

/** Returns the fields of an article with a text that can be published. */
export const makeFields = (changes: Partial<ArticleFields> = {}): ArticleFields => ({
  ...noText,
  title: 'Larger images',
  content: 'Upscale **images**.',
  ...changes,
});

type Sent = { params?: Record<string, string>; body?: unknown };

/** Calls endpoints about articles as an administrator. */
export function openEditor(url: string, { client, fetch }: Pick<SignedIn, 'client' | 'fetch'>, tab = randomUUID()) {
  /** Returns the status, the error code, and the JSON body of a call, if it has one. */
  const send = async (name: RouteName, { params = {}, body }: Sent = {}) => {
    const { method, path } = routes[name];
    const response = await fetch(url + path.replace(/:(\w+)/g, (_, part: string) => params[part] ?? part), {
      method,
      headers: {
        accept: 'application/json, application/problem+json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const json = response.headers.get('content-type')?.includes('json') ? await response.json() : undefined;
    return {
      status: response.status,
      code: response.headers.get('x-error-code'),
      body: json,
      headers: response.headers,
    };
  };
  const create = async () => (await client.adminCreateArticle({ body: { kind: 'post' } })).data;
  const save = async (article: Pick<Article, 'id' | 'version'>, fields: ArticleFields) => {
    const body = { fields, version: article.version, tab };
    return { ...article, ...(await client.adminSaveDraft({ params: { id: article.id }, body })).data };
  };
  const publish = async ({ id, version }: Pick<Article, 'id' | 'version'>, publishAt?: string) =>
    (await client.adminPublishArticle({ params: { id }, body: { version, ...(publishAt && { publishAt }) } })).data;
  return {
    tab,
    send,
    create,
    save,
    publish,
    get: async (id: string) => (await client.adminGetArticle({ params: { id } })).data,
    /** Creates a post with a text, and publishes it. */
    createPublic: async (changes: Partial<ArticleFields> = {}) =>
      publish(await save(await create(), makeFields(changes))),
  };
}
