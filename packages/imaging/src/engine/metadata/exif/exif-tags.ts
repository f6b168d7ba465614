/**
 * Tags of the main directory that are kept (TIFF 6.0, EXIF 3.0, and Microsoft). Tags beginning with `xp` are from
 * Microsoft and contain UTF-16.
 */
export const imageTag = {
  description: 0x01_0e,
  make: 0x01_0f,
  model: 0x01_10,
  software: 0x01_31,
  dateTime: 0x01_32,
  artist: 0x01_3b,
  copyright: 0x82_98,
  rating: 0x47_46,
  ratingPercent: 0x47_49,
  xpTitle: 0x9c_9b,
  xpComment: 0x9c_9c,
  xpAuthor: 0x9c_9d,
  xpKeywords: 0x9c_9e,
  xpSubject: 0x9c_9f,
} as const;

export const photoTag = {
  version: 0x90_00,
  userComment: 0x92_86,
  makerNote: 0x92_7c,
  width: 0xa0_02,
  height: 0xa0_03,
  imageTitle: 0xa4_36,
  photographer: 0xa4_37,
} as const;

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

const keptImageTags: ReadonlySet<number> = new Set(Object.values(imageTag));

/**
 * EXIF 3.0 tags about the camera, and about how a photo was taken and edited. Pixel sizes and positions are left out.
 */
const keptPhotoTags: ReadonlySet<number> = new Set([
  // ExposureTime, FNumber, ExposureProgram, SpectralSensitivity, and sensitivities with their type.
  ...[0x82_9a, 0x82_9d, 0x88_22, 0x88_24, 0x88_27, ...range(0x88_30, 0x88_35)],
  // Dates and time zones.
  ...[0x90_03, 0x90_04, ...range(0x90_10, 0x90_12), ...range(0x92_90, 0x92_92)],
  // Shutter speed, aperture, brightness, exposure bias, distance, metering, light source, flash, and focal length.
  ...range(0x92_01, 0x92_0a),
  photoTag.userComment,
  // Temperature, humidity, pressure, water depth, acceleration, and camera elevation angle.
  ...range(0x94_00, 0x94_05),
  // FlashEnergy, focal plane resolution, ExposureIndex, SensingMethod, FileSource, SceneType, CFAPattern.
  ...[0xa2_0b, 0xa2_0e, 0xa2_0f, 0xa2_10, 0xa2_15, 0xa2_17, 0xa3_00, 0xa3_01, 0xa3_02],
  // CustomRendered to SubjectDistanceRange, but not DeviceSettingDescription, which is proprietary.
  ...[...range(0xa4_01, 0xa4_0a), 0xa4_0c],
  // ImageUniqueID, camera owner and serial number, lens, title, and names of people and software.
  ...[0xa4_20, ...range(0xa4_30, 0xa4_3e)],
  // CompositeImage, Gamma.
  ...[0xa4_60, 0xa4_61, 0xa5_00],
]);

/** GPS tags: GPSVersionID to GPSHPositioningError. */
const keptLocationTags: ReadonlySet<number> = new Set(range(0, 0x1f));

export const keptTags = { image: keptImageTags, exif: keptPhotoTags, gps: keptLocationTags } as const;

/** Tags that describe the source file or are written by the encoder. Dropping them loses nothing. */
const structuralTags: ReadonlySet<number> = new Set([
  // Tags that describe how TIFF stores pixels. The ranges leave out DocumentName and PageName, because these contain
  // text.
  ...[
    ...range(0xfe, 0x1_0c),
    ...range(0x1_11, 0x1_1c),
    ...range(0x1_1e, 0x1_2d),
    ...range(0x1_3d, 0x1_5b),
    ...range(0x2_00, 0x2_14),
  ],
  // WhitePoint and PrimaryChromaticities, the color profile, blocks that are read separately, and pointers.
  ...[0x1_3e, 0x1_3f, 0x87_73, 0x02_bc, 0x83_bb, 0x86_49, 0x87_69, 0x88_25, 0xa0_05],
  // ExifVersion, ComponentsConfiguration, CompressedBitsPerPixel, FlashpixVersion, ColorSpace, and tags for sizes and
  // positions.
  ...[0x90_00, 0x91_01, 0x91_02, 0xa0_00, 0xa0_01, 0xa0_02, 0xa0_03, 0x92_14, 0xa2_14, 0xa4_62],
  // Microsoft padding.
  ...[0xea_1c, 0xea_1d],
]);

export const isStructuralTag = (tag: number) => structuralTags.has(tag);
