const { document } = globalThis;
const siteMeta = document?.querySelector<HTMLMetaElement>('meta[name="application-name"]');

/** Site name and home page metadata from the gateway. The development server and the prerendered page have none. */
export const siteHead = {
  siteName: siteMeta?.content,
  title: siteMeta?.dataset.title,
  /** Description of the home page, and of pages without their own. */
  description:
    siteMeta?.dataset.description ?? document?.querySelector<HTMLMetaElement>('meta[name="description"]')?.content,
};
