import { withFiles } from '@uprez/domain/content/store/files-of-texts';
import { renderText } from '@uprez/domain/content/text/render-text';
import { addMedia } from '@uprez/testing/factories/add-media';
import { fileFixture } from '@uprez/testing/fixtures';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

const ctx = fileFixture(openTestContext);
const replaceFile = (id: string) =>
  ctx.db.updateTable('media').set({ version: sql<number>`version + 1` }).where('id', '=', id).execute();

/** Renders a text, and replaces its file so many times between rendering and storing. Returns the HTML that was stored. */
async function store(replacements: number): Promise<{ html: string; url: string }> {
  const { id, url } = await addMedia(ctx.db);
  const text = `![a](${url})`;
  let left = replacements;
  const html = await withFiles(ctx, text, async ({ files, keep }) => {
    const rendered = await renderText(text, files);
    if (left > 0) await replaceFile(id);
    left -= 1;
    await ctx.db.transaction().execute(keep);
    return rendered.html;
  });
  return { html, url };
}

it('renders a text again whose file was replaced before it was stored', async () => {
  const { html, url } = await store(2);
  expect(html).toContain(`src="${url}/3/800.webp"`);
  await expect(store(9)).rejects.toMatchObject({ code: 'service_unavailable' });
});
