const disjunctionFormat = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** Texts of the rich text editor and the Markdown editor. */
export const blogTextMessages = {
  placeholders: {
    title: 'Values that you can insert',
    hint: 'Type a name in double braces. Readers see the current value.',
  },
  content: 'Content',
  mode: 'Editor',
  modes: { rich: 'Rich text', markdown: 'Markdown' },
  markdownHint: 'Markdown with tables, task lists, and strikethrough.',
  /** Content that the rich text editor doesn't support, by Markdown node type. */
  losses: {
    html: 'HTML',
    image: 'images outside of the media library',
    imageReference: 'links and images with references',
    footnoteReference: 'footnotes',
    footnoteDefinition: 'footnotes',
    linkReference: 'links and images with references',
    definition: 'links and images with references',
  },
  otherLoss: 'some of its formatting',
  notRich: (losses: readonly string[]) =>
    `Rich text doesn't support ${disjunctionFormat.format(losses)}. Edit this post as Markdown.`,
  toolbar: 'Formatting',
  undo: 'Undo',
  redo: 'Redo',
  heading: (level: number) => `Heading ${level}`,
  bold: 'Bold',
  italic: 'Italic',
  strike: 'Strikethrough',
  code: 'Code',
  bulletList: 'Bulleted list',
  orderedList: 'Numbered list',
  taskList: 'Task list',
  quote: 'Quote',
  codeBlock: 'Code block',
  link: 'Link',
  image: 'Image',
  table: 'Insert table',
  rule: 'Horizontal rule',
  tableMenu: 'Table',
  rowAbove: 'Insert row above',
  rowBelow: 'Insert row below',
  columnBefore: 'Insert column before',
  columnAfter: 'Insert column after',
  deleteRow: 'Delete row',
  deleteColumn: 'Delete column',
  deleteTable: 'Delete table',
  linkDialog: {
    title: 'Link',
    url: 'URL',
    urlHint: 'Such as https://example.com, or /pricing for a page of this site.',
    text: 'Text',
    invalid: 'Enter a URL that starts with https://, http://, mailto:, /, or #.',
    submit: 'Save link',
    remove: 'Remove link',
  },
  loading: 'Loading the editor',
} as const;

/** Texts of images in the rich editor. */
export const imageTextMessages = {
  missing: "This image isn't in the media library.",
  altText: (alt: string) => `Alt text: ${alt}`,
  addAltText: 'Add alt text',
  uploading: (name: string) => `Uploading ${name}...`,
  failed: (name: string) => `Couldn't insert ${name}`,
  onlyStored: (name: string) => `${name} was added to the media library, but not to the text.`,
  altDialog: {
    title: 'Alt text',
    alt: 'Alt text',
    hint: 'Describe the image for people who use screen readers. Leave empty if it is decorative.',
    submit: 'Save alt text',
  },
} as const;
