const { document } = globalThis;
const served = document?.querySelector<HTMLMetaElement>('meta[name="application-name"]');

/** Site name and home page metadata from the gateway. The development server and the prerendered page have none. */
export const siteHead = {
  siteName: served?.content,
  /** Title of the home page. */
  title: served?.dataset.title,
  /** Description of the home page, and of pages without their own. */
  description:
    served?.dataset.description ?? document?.querySelector<HTMLMetaElement>('meta[name="description"]')?.content,
};
