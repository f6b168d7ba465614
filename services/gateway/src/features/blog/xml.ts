/** Characters that XML 1.0 can't contain, even escaped (w3.org/TR/xml/#charsets). */
const forbiddenCharacters = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const escapeXml = (text: string): string =>
  text.replaceAll(forbiddenCharacters, '').replaceAll(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);

type Attributes = Record<string, string>;

const tagBody = (name: string, attributes: Attributes) =>
  [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(value)}"`)].join(' ');

export const textElement = (name: string, text: string, attributes: Attributes = {}): string =>
  `<${tagBody(name, attributes)}>${escapeXml(text)}</${name}>`;

export const emptyElement = (name: string, attributes: Attributes): string => `<${tagBody(name, attributes)}/>`;

export const element = (name: string, children: readonly string[], attributes: Attributes = {}): string =>
  `<${tagBody(name, attributes)}>\n${children.join('\n')}\n</${name}>`;

export const xmlDocument = (root: string): string => `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`;
