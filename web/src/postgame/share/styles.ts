/** The page's stylesheets as self-contained text. */
const FONT = /url\("?([^")]+\.woff2)"?\)/g;

export function styles(): string {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .map(written)
    .join('\n');
}

function written(rule: CSSRule): string {
  if (!(rule instanceof CSSFontFaceRule)) return rule.cssText;
  const own = rule.style.getPropertyValue('font-family').replaceAll(/["']/g, '');
  const used = [...document.fonts].some(
    ({ family, status }) => status === 'loaded' && family.replaceAll(/["']/g, '') === own,
  );
  return used ? absolute(rule) : '';
}

/** Resolve the URLs of a rule against its stylesheet. */
function absolute(rule: CSSFontFaceRule): string {
  const from = rule.parentStyleSheet?.href ?? location.href;
  return rule.cssText.replace(FONT, (_, url: string) => `url("${new URL(url, from).href}")`);
}

/** Replace font URLs by data URLs. */
export async function fontsInside(css: string): Promise<string> {
  const urls = [...new Set([...css.matchAll(FONT)].map(([, url]) => url!))];
  const fonts = new Map(await Promise.all(urls.map(async (url) => [url, await asData(url)] as const)));
  return css.replace(FONT, (whole, url: string) => (fonts.get(url) ? `url("${fonts.get(url)}")` : whole));
}

async function asData(url: string): Promise<string> {
  const blob = await fetch(url).then((answer) => answer.blob());
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error(url));
    reader.readAsDataURL(blob);
  });
}
