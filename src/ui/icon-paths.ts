// The paths of the icons that are drawn first, by the panel and by what stands in its place until then.

export const SEND = 'M10 15.5v-11M5.25 9.25 10 4.5l4.75 4.75'
export const CLOSE = 'm5 7.75 5 5 5-5'
export const MORE = 'M4.5 10h.01M10 10h.01M15.5 10h.01'
export const ASSISTANT =
  'M10 3.25c.5 4 2.75 6.25 6.75 6.75-4 .5-6.25 2.75-6.75 6.75-.5-4-2.75-6.25-6.75-6.75 4-.5 6.25-2.75 6.75-6.75Z'
