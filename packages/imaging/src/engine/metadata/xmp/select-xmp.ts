import type { XmpProperties, XmpValue } from './read-xmp.ts';
import {
  extraForms,
  fieldsOf,
  formOf,
  isSourceProperty,
  isXmpName,
  locationForms,
  rightsForms,
  type XmpName,
  type XmpTexts,
} from './xmp-names.ts';

export type XmpItem = { text: string; language?: string | undefined };
export type SelectedValue = { items: XmpItem[] } | { fields: Record<string, string>[] };
export type SelectedXmp = Partial<Record<XmpName, SelectedValue>>;

export const rightsNames = Object.keys(rightsForms) as XmpName[];
/** Returns the names of the properties that the `metadata` option `all` keeps. */
export const listKeptNames = (gps: boolean) =>
  [...rightsNames, ...Object.keys(extraForms), ...(gps ? Object.keys(locationForms) : [])] as XmpName[];

/**
 * Selects the properties in `names`. Within structured values, only fields on the allow-list are kept. `lost`: whether
 * a requested property was left out because its value has an unexpected form, or an unknown property was left out that
 * doesn't describe the source file.
 */
export function selectXmp(source: XmpProperties, names: readonly XmpName[], gps: boolean) {
  const selected: SelectedXmp = {};
  let lost = false;
  for (const [name, value] of source) {
    const kept = isXmpName(name) && names.includes(name) ? selectValue(name, value, gps) : undefined;
    if (kept) selected[name as XmpName] = kept;
    // Known properties that weren't requested are locations and don't count as lost. If a requested property wasn't
    // kept, its value has an unexpected form.
    else lost ||= isXmpName(name) ? names.includes(name) : !isSourceProperty(name);
  }
  return { selected, lost };
}

/** Matches license properties of XMP Rights, Creative Commons, and PLUS that aren't supported. */
const extraRightsPattern = /^(xmpRights:|https?:\/\/creativecommons\.org\/ns#|http:\/\/ns\.useplus\.org\/)/;

/**
 * Whether rights properties were left out, because they aren't supported or because their value has an unexpected form.
 */
export const hasLostRights = (source: XmpProperties, selected: SelectedXmp): boolean =>
  [...source.keys()].some((name) =>
    isXmpName(name) ? rightsNames.includes(name) && !(name in selected) : extraRightsPattern.test(name),
  );

function selectValue(name: XmpName, value: XmpValue, gps: boolean): SelectedValue | undefined {
  const form = formOf[name];
  const values = value.kind === 'list' ? value.items : [value];
  if (form !== 'fields' && form !== 'BagOfFields') {
    const items = values.filter((item) => item.kind === 'text');
    return items.length > 0 ? { items } : undefined;
  }
  const { kept = [], location = [] } = fieldsOf[name] ?? {};
  const known = [...kept, ...(gps ? location : [])];
  const all = values.flatMap((item) => (item.kind === 'fields' ? [pickFields(item.fields, known)] : []));
  const fields = all.filter((found) => Object.keys(found).length > 0);
  return fields.length > 0 ? { fields } : undefined;
}

/** Picks the texts of the given fields. For a list, such as names in several languages, picks the first entry. */
function pickFields(fields: XmpProperties, known: string[]): Record<string, string> {
  const picked = known.flatMap((name) => {
    const value = fields.get(name);
    const [first] = value?.kind === 'list' ? value.items : [value];
    return first?.kind === 'text' ? [[name, first.text] as const] : [];
  });
  return Object.fromEntries(picked);
}

export const toSelectedXmp = (texts: XmpTexts): SelectedXmp =>
  Object.fromEntries(
    Object.entries(texts).map(([name, values]) => [name, { items: values.map((text) => ({ text })) }]),
  );

/** Returns the texts of selected values, starting with the default language. */
export function toTexts(selected: SelectedXmp): XmpTexts {
  const texts: XmpTexts = {};
  for (const [name, value] of Object.entries(selected) as [XmpName, SelectedValue][]) {
    if (!('items' in value)) continue;
    const isMain = ({ language }: XmpItem) => language === undefined || language === 'x-default';
    const ordered = [...value.items.filter(isMain), ...value.items.filter((item) => !isMain(item))];
    texts[name] = ordered.map(({ text }) => text);
  }
  return texts;
}
