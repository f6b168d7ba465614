import { escapeXml } from './read-fields.ts';
import { formOf, namespaces, type Prefix, type XmpName } from './xmp-names.ts';

export type XmpTexts = Partial<Record<XmpName, string[]>>;

const maxTextLength = 4_000;

/** Make an XMP packet with only these texts. Returns undefined when there are none. */
export function writeXmp(texts: XmpTexts): string | undefined {
  const entries = Object.entries(texts).filter(([, values]) => values.length > 0) as [XmpName, string[]][];
  if (entries.length === 0) return undefined;
  const prefixes = [...new Set(entries.map(([name]) => name.split(':')[0] as Prefix))];
  const declared = prefixes.map((prefix) => ` xmlns:${prefix}="${namespaces[prefix]}"`).join('');
  const properties = entries.map(([name, values]) => `<${name}>${formatValue(name, values)}</${name}>`).join('');
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""${declared}>${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`;
}

function formatValue(name: XmpName, values: string[]): string {
  const form = formOf[name];
  const texts = values.map((value) => escapeXml(value.slice(0, maxTextLength)));
  if (form === 'text') return texts[0] ?? '';
  const language = form === 'Alt' ? ' xml:lang="x-default"' : '';
  const listed = form === 'Alt' ? texts.slice(0, 1) : texts;
  return `<rdf:${form}>${listed.map((text) => `<rdf:li${language}>${text}</rdf:li>`).join('')}</rdf:${form}>`;
}
