import { escapeXml } from './exif-fields.ts';
/** Namespaces of XMP (ISO 16684-1, IPTC Photo Metadata, Creative Commons). */
export const namespaces = {
  dc: 'http://purl.org/dc/elements/1.1/',
  xmpRights: 'http://ns.adobe.com/xap/1.0/rights/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  exifEX: 'http://cipa.jp/exif/1.0/',
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  Iptc4xmpCore: 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
} as const;
export type Prefix = keyof typeof namespaces;

type Form = 'text' | 'Seq' | 'Bag' | 'Alt';

/** Author and license properties: the ones that `copyright` keeps. */
export const rightsForms = {
  'dc:creator': 'Seq',
  'dc:rights': 'Alt',
  'xmpRights:Marked': 'text',
  'xmpRights:Owner': 'Bag',
  'xmpRights:UsageTerms': 'Alt',
  'xmpRights:WebStatement': 'text',
  'photoshop:AuthorsPosition': 'text',
  'photoshop:Credit': 'text',
  'photoshop:Source': 'text',
} as const satisfies Record<string, Form>;

/** Further properties that IPTC, EXIF, and PNG texts can provide, kept with `all`. */
export const captionForms = {
  'dc:title': 'Alt',
  'dc:description': 'Alt',
  'dc:subject': 'Bag',
  'photoshop:Headline': 'text',
  'photoshop:Instructions': 'text',
} as const satisfies Record<string, Form>;

export const locationForms = {
  'photoshop:City': 'text',
  'photoshop:State': 'text',
  'photoshop:Country': 'text',
  'Iptc4xmpCore:Location': 'text',
  'Iptc4xmpCore:CountryCode': 'text',
} as const satisfies Record<string, Form>;

export type XmpName = keyof typeof rightsForms | keyof typeof captionForms | keyof typeof locationForms;
export const formOf: Record<XmpName, Form> = { ...rightsForms, ...captionForms, ...locationForms };

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
