/** XMP namespaces (ISO 16684-1, IPTC Photo Metadata) that results may contain, by their usual prefixes. */
export const namespaces = {
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  xmpRights: 'http://ns.adobe.com/xap/1.0/rights/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  Iptc4xmpCore: 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
} as const;
export type Prefix = keyof typeof namespaces;

export type Form = 'text' | 'Seq' | 'Bag' | 'Alt' | 'fields' | 'BagOfFields';

const declareForms = <P extends Prefix, N extends string, F extends Form>(prefix: P, form: F, ...names: N[]) =>
  Object.fromEntries(names.map((name) => [`${prefix}:${name}`, form])) as Record<`${P}:${N}`, F>;

/** Author and license properties, which the `metadata` option `copyright` keeps. */
export const rightsForms = {
  ...declareForms('dc', 'Seq', 'creator'),
  ...declareForms('dc', 'Alt', 'rights'),
  ...declareForms('xmpRights', 'text', 'Certificate', 'Marked', 'WebStatement'),
  ...declareForms('xmpRights', 'Bag', 'Owner'),
  ...declareForms('xmpRights', 'Alt', 'UsageTerms'),
  ...declareForms('photoshop', 'text', 'AuthorsPosition', 'Credit', 'Source'),
};

/** Further properties that the `metadata` option `all` keeps. None of them reveals where a photo was taken. */
export const extraForms = {
  ...declareForms('dc', 'Alt', 'description', 'title'),
  ...declareForms('dc', 'Bag', 'contributor', 'language', 'publisher', 'relation', 'subject', 'type'),
  ...declareForms('dc', 'Seq', 'date'),
  ...declareForms('dc', 'text', 'identifier', 'source'),
  ...declareForms(
    'xmp',
    'text',
    'CreateDate',
    'CreatorTool',
    'Label',
    'MetadataDate',
    'ModifyDate',
    'Nickname',
    'Rating',
  ),
  ...declareForms('photoshop', 'text', 'CaptionWriter', 'Category', 'DateCreated', 'Headline', 'Instructions'),
  ...declareForms('photoshop', 'text', 'TransmissionReference', 'Urgency'),
  ...declareForms('photoshop', 'Bag', 'SupplementalCategories'),
  ...declareForms('Iptc4xmpCore', 'Alt', 'AltTextAccessibility', 'ExtDescrAccessibility'),
  ...declareForms('Iptc4xmpCore', 'Bag', 'Scene', 'SubjectCode'),
  ...declareForms('Iptc4xmpCore', 'text', 'IntellectualGenre'),
  ...declareForms('Iptc4xmpCore', 'fields', 'CreatorContactInfo'),
  ...declareForms('Iptc4xmpExt', 'text', 'DigitalSourceType'),
  ...declareForms('tiff', 'text', 'Artist', 'DateTime', 'Make', 'Model', 'Software'),
  ...declareForms('tiff', 'Alt', 'Copyright', 'ImageDescription'),
  ...declareForms('exif', 'Alt', 'UserComment'),
  ...declareForms('exif', 'Seq', 'ISOSpeedRatings'),
  ...declareForms('exif', 'fields', 'Flash'),
  ...declareForms(
    'exif',
    'text',
    'ApertureValue',
    'BrightnessValue',
    'Contrast',
    'CustomRendered',
    'DateTimeDigitized',
  ),
  ...declareForms('exif', 'text', 'DateTimeOriginal', 'DigitalZoomRatio', 'ExposureBiasValue', 'ExposureIndex'),
  ...declareForms(
    'exif',
    'text',
    'ExposureMode',
    'ExposureProgram',
    'ExposureTime',
    'FNumber',
    'FileSource',
    'FlashEnergy',
  ),
  ...declareForms('exif', 'text', 'FocalLength', 'FocalLengthIn35mmFilm', 'FocalPlaneResolutionUnit'),
  ...declareForms('exif', 'text', 'FocalPlaneXResolution', 'FocalPlaneYResolution', 'GainControl', 'ImageUniqueID'),
  ...declareForms('exif', 'text', 'LightSource', 'MaxApertureValue', 'MeteringMode', 'Saturation', 'SceneCaptureType'),
  ...declareForms(
    'exif',
    'text',
    'SceneType',
    'SensingMethod',
    'Sharpness',
    'ShutterSpeedValue',
    'SpectralSensitivity',
  ),
  ...declareForms('exif', 'text', 'SubjectDistance', 'SubjectDistanceRange', 'WhiteBalance'),
};

/** Properties that reveal where a photo was taken, kept only with `gps`. */
export const locationForms = {
  ...declareForms('photoshop', 'text', 'City', 'Country', 'State'),
  ...declareForms('Iptc4xmpCore', 'text', 'CountryCode', 'Location'),
  ...declareForms('Iptc4xmpExt', 'BagOfFields', 'LocationCreated', 'LocationShown'),
  ...declareForms('dc', 'text', 'coverage'),
  ...declareForms('exif', 'text', 'GPSAltitude', 'GPSAltitudeRef', 'GPSAreaInformation', 'GPSDOP', 'GPSDestBearing'),
  ...declareForms('exif', 'text', 'GPSDestBearingRef', 'GPSDestDistance', 'GPSDestDistanceRef', 'GPSDestLatitude'),
  ...declareForms('exif', 'text', 'GPSDestLongitude', 'GPSDifferential', 'GPSHPositioningError', 'GPSImgDirection'),
  ...declareForms('exif', 'text', 'GPSImgDirectionRef', 'GPSLatitude', 'GPSLongitude', 'GPSMapDatum', 'GPSMeasureMode'),
  ...declareForms('exif', 'text', 'GPSProcessingMethod', 'GPSSatellites', 'GPSSpeed', 'GPSSpeedRef', 'GPSStatus'),
  ...declareForms('exif', 'text', 'GPSTimeStamp', 'GPSTrack', 'GPSTrackRef', 'GPSVersionID'),
};

export type XmpName = keyof typeof rightsForms | keyof typeof extraForms | keyof typeof locationForms;
export const formOf: Readonly<Record<XmpName, Form>> = { ...rightsForms, ...extraForms, ...locationForms };
export const isXmpName = (name: string): name is XmpName => Object.hasOwn(formOf, name);

/** Fields of structured properties. Postal addresses count as locations. */
const contactFields = { kept: ['CiEmailWork', 'CiTelWork', 'CiUrlWork'], location: ['CiAdrExtadr', 'CiAdrCity'] };
const placeFieldNames = [
  'City',
  'CountryCode',
  'CountryName',
  'LocationId',
  'LocationName',
  'ProvinceState',
  'Sublocation',
];
const withPrefix = (prefix: Prefix, names: string[]) => names.map((name) => `${prefix}:${name}`);
const placeFields = [
  ...withPrefix('Iptc4xmpExt', [...placeFieldNames, 'WorldRegion']),
  ...withPrefix('exif', ['GPSAltitude', 'GPSAltitudeRef', 'GPSLatitude', 'GPSLongitude']),
];
export const fieldsOf: Partial<Record<XmpName, { kept: string[]; location: string[] }>> = {
  'Iptc4xmpCore:CreatorContactInfo': {
    kept: withPrefix('Iptc4xmpCore', contactFields.kept),
    location: withPrefix('Iptc4xmpCore', [...contactFields.location, 'CiAdrCtry', 'CiAdrPcode', 'CiAdrRegion']),
  },
  'exif:Flash': { kept: withPrefix('exif', ['Fired', 'Function', 'Mode', 'RedEyeMode', 'Return']), location: [] },
  'Iptc4xmpExt:LocationCreated': { kept: [], location: placeFields },
  'Iptc4xmpExt:LocationShown': { kept: [], location: placeFields },
};

/** Properties that describe the source file. Dropping them loses nothing. */
const sourcePropertyPatterns = [
  /^dc:format$|^xmp:(Thumbnails|PageInfo)$|^photoshop:(ColorMode|ICCProfile|LegacyIPTCDigest|SidecarForExtension)$/,
  /^exif:(ColorSpace|ComponentsConfiguration|CompressedBitsPerPixel|ExifVersion|FlashpixVersion|NativeDigest)$/,
  /^exif:(PixelXDimension|PixelYDimension|SubjectArea|SubjectLocation)$/,
  /^tiff:(BitsPerSample|Compression|ImageLength|ImageWidth|NativeDigest|Orientation|PhotometricInterpretation)$/,
  /^tiff:(PlanarConfiguration|PrimaryChromaticities|ReferenceBlackWhite|ResolutionUnit|SamplesPerPixel)$/,
  /^tiff:(TransferFunction|WhitePoint|XResolution|YCbCrCoefficients|YCbCrPositioning|YCbCrSubSampling|YResolution)$/,
  /^xmpNote:HasExtendedXMP$/,
];
export const isSourceProperty = (name: string) => sourcePropertyPatterns.some((pattern) => pattern.test(name));

/** Texts by property, one per language or list entry. */
export type XmpTexts = Partial<Record<XmpName, string[]>>;
