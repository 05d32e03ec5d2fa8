// Writes the addresses of a site's files, as links on its pages.

import { posix } from 'node:path'

/** `page`, `to`: paths in the site. The address holds for any place of the site. */
export const addressFrom = (page: string, to: string): string =>
  posix.relative(posix.dirname(page), to).split('/').map(encodeURIComponent).join('/')
