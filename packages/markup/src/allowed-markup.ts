import { defaultSchema, type Options } from 'rehype-sanitize';

/** The elements, attributes, and URLs that texts may contain: GitHub's, with fewer schemes. */
export const allowedMarkup: Options = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
};
