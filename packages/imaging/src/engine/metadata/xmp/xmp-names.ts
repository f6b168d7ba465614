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

/** XMP form of a value: text, a list of texts, or fields. */
export type Form = 'text' | 'Seq' | 'Bag' | 'Alt' | 'fields' | 'BagOfFields';

/** Declares properties of one form. */
const declare = <P extends Prefix, N extends string, F extends Form>(prefix: P, form: F, ...names: N[]) =>
  Object.fromEntries(names.map((name) => [`${prefix}:${name}`, form])) as Record<`${P}:${N}`, F>;

/** Author and license properties, which `copyright` keeps. */
export const rightsForms = {
  ...declare('dc', 'Seq', 'creator'),
  ...declare('dc', 'Alt', 'rights'),
  ...declare('xmpRights', 'text', 'Certificate', 'Marked', 'WebStatement'),
  ...declare('xmpRights', 'Bag', 'Owner'),
  ...declare('xmpRights', 'Alt', 'UsageTerms'),
  ...declare('photoshop', 'text', 'AuthorsPosition', 'Credit', 'Source'),
};

/** Further properties that `all` keeps. None of them reveals where a photo was taken. */
export const furtherForms = {
  ...declare('dc', 'Alt', 'description', 'title'),
  ...declare('dc', 'Bag', 'contributor', 'language', 'publisher', 'relation', 'subject', 'type'),
  ...declare('dc', 'Seq', 'date'),
  ...declare('dc', 'text', 'identifier', 'source'),
  ...declare('xmp', 'text', 'CreateDate', 'CreatorTool', 'Label', 'MetadataDate', 'ModifyDate', 'Nickname', 'Rating'),
  ...declare('photoshop', 'text', 'CaptionWriter', 'Category', 'DateCreated', 'Headline', 'Instructions'),
  ...declare('photoshop', 'text', 'TransmissionReference', 'Urgency'),
  ...declare('photoshop', 'Bag', 'SupplementalCategories'),
  ...declare('Iptc4xmpCore', 'Alt', 'AltTextAccessibility', 'ExtDescrAccessibility'),
  ...declare('Iptc4xmpCore', 'Bag', 'Scene', 'SubjectCode'),
  ...declare('Iptc4xmpCore', 'text', 'IntellectualGenre'),
  ...declare('Iptc4xmpCore', 'fields', 'CreatorContactInfo'),
  ...declare('tiff', 'text', 'Artist', 'DateTime', 'Make', 'Model', 'Software'),
  ...declare('tiff', 'Alt', 'Copyright', 'ImageDescription'),
  ...declare('exif', 'Alt', 'UserComment'),
  ...declare('exif', 'Seq', 'ISOSpeedRatings'),
  ...declare('exif', 'fields', 'Flash'),
  ...declare('exif', 'text', 'ApertureValue', 'BrightnessValue', 'Contrast', 'CustomRendered', 'DateTimeDigitized'),
  ...declare('exif', 'text', 'DateTimeOriginal', 'DigitalZoomRatio', 'ExposureBiasValue', 'ExposureIndex'),
  ...declare('exif', 'text', 'ExposureMode', 'ExposureProgram', 'ExposureTime', 'FNumber', 'FileSource', 'FlashEnergy'),
  ...declare('exif', 'text', 'FocalLength', 'FocalLengthIn35mmFilm', 'FocalPlaneResolutionUnit'),
  ...declare('exif', 'text', 'FocalPlaneXResolution', 'FocalPlaneYResolution', 'GainControl', 'ImageUniqueID'),
  ...declare('exif', 'text', 'LightSource', 'MaxApertureValue', 'MeteringMode', 'Saturation', 'SceneCaptureType'),
  ...declare('exif', 'text', 'SceneType', 'SensingMethod', 'Sharpness', 'ShutterSpeedValue', 'SpectralSensitivity'),
  ...declare('exif', 'text', 'SubjectDistance', 'SubjectDistanceRange', 'WhiteBalance'),
};

/** Properties that reveal where a photo was taken, kept only with `gps`. */
export const locationForms = {
  ...declare('photoshop', 'text', 'City', 'Country', 'State'),
  ...declare('Iptc4xmpCore', 'text', 'CountryCode', 'Location'),
  ...declare('Iptc4xmpExt', 'BagOfFields', 'LocationCreated', 'LocationShown'),
  ...declare('dc', 'text', 'coverage'),
  ...declare('exif', 'text', 'GPSAltitude', 'GPSAltitudeRef', 'GPSAreaInformation', 'GPSDOP', 'GPSDestBearing'),
  ...declare('exif', 'text', 'GPSDestBearingRef', 'GPSDestDistance', 'GPSDestDistanceRef', 'GPSDestLatitude'),
  ...declare('exif', 'text', 'GPSDestLongitude', 'GPSDifferential', 'GPSHPositioningError', 'GPSImgDirection'),
  ...declare('exif', 'text', 'GPSImgDirectionRef', 'GPSLatitude', 'GPSLongitude', 'GPSMapDatum', 'GPSMeasureMode'),
  ...declare('exif', 'text', 'GPSProcessingMethod', 'GPSSatellites', 'GPSSpeed', 'GPSSpeedRef', 'GPSStatus'),
  ...declare('exif', 'text', 'GPSTimeStamp', 'GPSTrack', 'GPSTrackRef', 'GPSVersionID'),
};

export type XmpName = keyof typeof rightsForms | keyof typeof furtherForms | keyof typeof locationForms;
export const formOf: Readonly<Record<XmpName, Form>> = { ...rightsForms, ...furtherForms, ...locationForms };
export const isXmpName = (name: string): name is XmpName => Object.hasOwn(formOf, name);

/** Fields of structured properties. Postal addresses count as locations. */
const contact = { kept: ['CiEmailWork', 'CiTelWork', 'CiUrlWork'], location: ['CiAdrExtadr', 'CiAdrCity'] };
const place = ['City', 'CountryCode', 'CountryName', 'LocationId', 'LocationName', 'ProvinceState', 'Sublocation'];
const withPrefix = (prefix: Prefix, names: string[]) => names.map((name) => `${prefix}:${name}`);
const placeFields = [
  ...withPrefix('Iptc4xmpExt', [...place, 'WorldRegion']),
  ...withPrefix('exif', ['GPSAltitude', 'GPSAltitudeRef', 'GPSLatitude', 'GPSLongitude']),
];
export const fieldsOf: Partial<Record<XmpName, { kept: string[]; location: string[] }>> = {
  'Iptc4xmpCore:CreatorContactInfo': {
    kept: withPrefix('Iptc4xmpCore', contact.kept),
    location: withPrefix('Iptc4xmpCore', [...contact.location, 'CiAdrCtry', 'CiAdrPcode', 'CiAdrRegion']),
  },
  'exif:Flash': { kept: withPrefix('exif', ['Fired', 'Function', 'Mode', 'RedEyeMode', 'Return']), location: [] },
  'Iptc4xmpExt:LocationCreated': { kept: [], location: placeFields },
  'Iptc4xmpExt:LocationShown': { kept: [], location: placeFields },
};

/** Properties that describe the source file. Dropping them loses nothing. */
const describingPatterns = [
  /^dc:format$|^xmp:(Thumbnails|PageInfo)$|^photoshop:(ColorMode|ICCProfile|LegacyIPTCDigest|SidecarForExtension)$/,
  /^exif:(ColorSpace|ComponentsConfiguration|CompressedBitsPerPixel|ExifVersion|FlashpixVersion|NativeDigest)$/,
  /^exif:(PixelXDimension|PixelYDimension|SubjectArea|SubjectLocation)$/,
  /^tiff:(BitsPerSample|Compression|ImageLength|ImageWidth|NativeDigest|Orientation|PhotometricInterpretation)$/,
  /^tiff:(PlanarConfiguration|PrimaryChromaticities|ReferenceBlackWhite|ResolutionUnit|SamplesPerPixel)$/,
  /^tiff:(TransferFunction|WhitePoint|XResolution|YCbCrCoefficients|YCbCrPositioning|YCbCrSubSampling|YResolution)$/,
  /^xmpNote:HasExtendedXMP$/,
];
export const isDescribingProperty = (name: string) => describingPatterns.some((pattern) => pattern.test(name));

/** Texts by property, one per language or list entry. */
export type XmpTexts = Partial<Record<XmpName, string[]>>;
