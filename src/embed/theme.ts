// Chooses light or dark, by the option or the page's `color-scheme`.

export function themeOf(theme: string | undefined): 'light' | 'dark' {
  const { colorScheme } = getComputedStyle(document.documentElement)
  const dark = theme === 'dark' || (theme !== 'light' && /dark/.test(colorScheme))
  const either = /light/.test(colorScheme) && theme !== 'dark'
  return dark && (!either || matchMedia('(prefers-color-scheme:dark)').matches) ? 'dark' : 'light'
}
