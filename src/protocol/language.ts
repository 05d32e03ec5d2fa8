// Finds the names under which the words for a language tag stand. Every table of words is read by it.

/**
 * The region's, the script's and the language's own, such as `zh-TW`, `zh-Hant` and `zh`; none where `tag` is not a well-formed BCP 47 tag.
 * Taiwan and Hong Kong write traditional Chinese, `iw` is `he`, and `fr-Latn-CA` is `fr-CA`.
 */
export function languagesOf(tag: string): string[] {
  try {
    const { language, script, region } = new Intl.Locale(tag).maximize()
    return [`${language}-${region}`, `${language}-${script}`, language]
  } catch {
    return []
  }
}
