import { randomUUID } from 'node:crypto';
import type { Article, ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { SignedIn } from '@uprez/testing/sign-up';

type Text = Partial<ArticleFields> & Pick<ArticleFields, 'title' | 'content'>;

export async function createDraft({ client }: SignedIn, kind: 'help' | 'position', text: Text) {
  const { id, version, fields } = (await client.adminCreateArticle({ body: { kind } })).data;
  const body = { fields: { ...fields, ...text }, version, tab: randomUUID() };
  return { id, ...(await client.adminSaveDraft({ params: { id }, body })).data };
}

export async function createArticle(admin: SignedIn, kind: 'help' | 'position', text: Text): Promise<Article> {
  const { id, version } = await createDraft(admin, kind, text);
  return (await admin.client.adminPublishArticle({ params: { id }, body: { version } })).data;
}
