import { hasCoordinates } from './coordinates.ts';
import type { XmpProperties, XmpValue } from './xmp/read-xmp.ts';
import { locationForms, type XmpName, type XmpTexts } from './xmp/xmp-names.ts';

/** Keywords that say where a photo was taken: machine tags, such as `geo:lat=51.5`, and coordinates. */
const machineTag = /^(geo|gps|place|location|country|state|city|lat|lon|lng|latitude|longitude)[\w:.-]*\s*[=:]/i;
const taggedAsPlace = /^geo-?tag(ged)?$/i;
const coordinates = /^[NSEW]?\s*[-+]?\d{1,3}([.,]\d{3,}|\s*[\u00b0\u00ba])/i;
/** Lists of keywords as paths, such as `Places|Europe|Lyon`, of Lightroom, digiKam, and Windows. */
const pathNames = /:(hierarchicalSubject|HierarchicalKeywords|TagsList|LastKeywordXMP|LastKeywordIPTC|CatalogSets)$/;
const placeRoots = /^(places?|locations?|country|countries|city|cities|geo\w*)$/i;
/** Properties of any namespace whose names say that they contain a place. */
const placeNames = /city|country|state|province|location|region|coverage|place/i;
const localName = (name: string) => name.slice(name.lastIndexOf(':') + 1);

type Sources = { properties: XmpProperties; texts: XmpTexts; places: readonly string[] };

/** Collect the names of places that a file mentions. */
function collectPlaces({ properties, texts, places }: Sources): Set<string> {
  const own = (Object.keys(locationForms) as XmpName[]).flatMap((name) => texts[name] ?? []);
  const named = [...properties].flatMap(([name, value]) => {
    if (pathNames.test(name)) return listTexts(value).flatMap(listPath);
    return placeNames.test(localName(name)) ? listTexts(value) : [];
  });
  return new Set([...own, ...named, ...places].map(normalize).filter((text) => text !== ''));
}

const normalize = (text: string) => text.trim().toLowerCase();

/** The parts of a path that begins with a word for places. */
function listPath(path: string): string[] {
  const parts = path.split(/[|/]/);
  return placeRoots.test(parts[0]?.trim() ?? '') ? parts : [];
}

function listTexts(value: XmpValue): string[] {
  if (value.kind === 'text') return [value.text];
  return (value.kind === 'list' ? value.items : [...value.fields.values()]).flatMap(listTexts);
}

/** Make a function that returns whether a keyword says where a photo was taken: by itself, or because the file says so elsewhere. */
export function makePlaceTest(sources: Sources): (keyword: string) => boolean {
  const places = collectPlaces(sources);
  return (keyword) => {
    const text = normalize(keyword);
    return (
      machineTag.test(text) ||
      taggedAsPlace.test(text) ||
      coordinates.test(text) ||
      hasCoordinates(text) ||
      places.has(text)
    );
  };
}
