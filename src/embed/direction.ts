// Finds the direction in which the words of the page's side are written.

import { language } from './words.ts'

export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  /^(ar|he)$/.test(language(locale)) ? 'rtl' : 'ltr'
