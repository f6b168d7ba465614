const { document } = globalThis;
const served = document?.querySelector<HTMLMetaElement>('meta[name="application-name"]');

/** What the gateway says of the site. The development server and the prerendered page have none of it. */
export const siteHead = {
  siteName: served?.content,
  /** Of the home page. */
  title: served?.dataset.title,
  /** Of the home page, and of pages without one of their own. */
  description:
    served?.dataset.description ?? document?.querySelector<HTMLMetaElement>('meta[name="description"]')?.content,
};
