/** A tag of an XML text, at positions `start` to `end`. */
export type XmlTag = {
  name: string;
  attributes: XmlAttribute[];
  isEnd: boolean;
  isEmpty: boolean;
  start: number;
  end: number;
};
export type XmlAttribute = { name: string; value: string; start: number; end: number };

const tag = /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const attribute = /(\s+)([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Real packets are far less deep. The time for hostile ones would grow quadratically with their depth. */
const maxDepth = 32;

/** Parse the tags of well-formed XML without a document type or entities. Returns undefined for other texts. */
export function readXmlTags(xml: string): XmlTag[] | undefined {
  const tags: XmlTag[] = [];
  const open: string[] = [];
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    tag.lastIndex = at;
    const found = tag.exec(xml);
    if (!found) return undefined;
    const [whole, slash, name = '', inside = '', empty] = found;
    const start = at;
    at += whole.length;
    const attributes = Array.from(inside.matchAll(attribute), (match) => {
      const from = start + 1 + name.length + match.index;
      return { name: match[2] ?? '', value: match[3] ?? match[4] ?? '', start: from, end: from + match[0].length };
    });
    tags.push({ name, attributes, isEnd: slash === '/', isEmpty: empty === '/', start, end: at });
    if (slash === '/' && open.pop() !== name) return undefined;
    if (slash !== '/' && empty !== '/') open.push(name);
    if (open.length > maxDepth) return undefined;
  }
  return open.length === 0 && tags.length > 0 ? tags : undefined;
}
