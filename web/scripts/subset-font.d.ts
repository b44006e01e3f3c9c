declare module 'subset-font' {
  interface Options {
    targetFormat: 'woff2';
    keepFeatures: string[];
  }
  export default function subsetFont(font: Uint8Array, characters: string, options: Options): Promise<Uint8Array>;
}
