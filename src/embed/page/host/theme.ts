// Chooses light or dark, by the option or the page's `color-scheme`.

export function themeOf(theme = 'auto'): 'light' | 'dark' {
  const scheme = theme === 'auto' ? getComputedStyle(document.documentElement).colorScheme : theme
  const { matches } = matchMedia('(prefers-color-scheme:dark)')
  return /dark/.test(scheme) && (matches || !/light/.test(scheme)) ? 'dark' : 'light'
}
