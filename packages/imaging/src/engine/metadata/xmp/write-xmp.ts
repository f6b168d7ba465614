import type { SelectedValue, SelectedXmp, XmpItem } from './select-xmp.ts';
import { formOf, namespaces, type Prefix, type XmpName } from './xmp-names.ts';

const languagePattern = /^[A-Za-z0-9-]{1,35}$/;

/** Creates an XMP packet that contains only the given values. Returns undefined if none are given. */
export function writeXmp(selected: SelectedXmp): string | undefined {
  const entries = Object.entries(selected) as [XmpName, SelectedValue][];
  if (entries.length === 0) return undefined;
  const properties = entries.map(([name, value]) => formatElement(name, formatValue(name, value))).join('');
  const isUsed = (prefix: string) => properties.includes(`<${prefix}:`);
  const used = (Object.keys(namespaces) as Prefix[]).filter(isUsed);
  const declared = used.map((prefix) => ` xmlns:${prefix}="${namespaces[prefix]}"`).join('');
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""${declared}>${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`;
}

type ElementContent = { inside: string; attributes?: string };

const formatElement = (name: string, { inside, attributes = '' }: ElementContent) =>
  `<${name}${attributes}>${inside}</${name}>`;

function formatValue(name: XmpName, value: SelectedValue): ElementContent {
  const form = formOf[name];
  if ('fields' in value) {
    const items = value.fields.map(formatFields);
    if (form === 'fields') return items[0] ?? { inside: '' };
    return {
      inside: formatElement('rdf:Bag', { inside: items.map((item) => formatElement('rdf:li', item)).join('') }),
    };
  }
  const { items } = value;
  if (form === 'text') return { inside: escapeText(items[0]?.text ?? '') };
  return {
    inside: formatElement(`rdf:${form}`, { inside: (form === 'Alt' ? formatAlternatives : formatItems)(items) }),
  };
}

const formatFields = (fields: Record<string, string>): ElementContent => ({
  inside: Object.entries(fields)
    .map(([name, text]) => formatElement(name, { inside: escapeText(text) }))
    .join(''),
  attributes: ' rdf:parseType="Resource"',
});

const formatItems = (items: XmpItem[]) =>
  items.map(({ text }) => formatElement('rdf:li', { inside: escapeText(text) })).join('');

/** Formats one text per language. The first text without a language is the default. */
function formatAlternatives(items: XmpItem[]): string {
  const texts = new Map<string, string>();
  for (const { text, language } of items) {
    const known = language && languagePattern.test(language) ? language : 'x-default';
    if (!texts.has(known)) texts.set(known, text);
  }
  const listed = [...texts].map(([language, text]) =>
    formatElement('rdf:li', { inside: escapeText(text), attributes: ` xml:lang="${language}"` }),
  );
  return listed.join('');
}

const characterEntities: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '\r': '&#13;' };

/** Characters with a special meaning in XML, and characters that XML can't contain in any form. */
const specialCharacterPattern = /[<>&\r\ufffe\uffff\ud800-\udfff]|(?![\t\n\x7f-\x9f])\p{Cc}/gu;

const escapeText = (text: string) =>
  text.replaceAll(specialCharacterPattern, (character) => characterEntities[character] ?? '');
