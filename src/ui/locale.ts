/** Whether it is a language tag by its form; anything else makes `Intl` throw. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
