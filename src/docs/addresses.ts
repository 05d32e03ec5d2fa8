// Writes the addresses of a site's files: as links on its pages, and as the public knows them.

import { posix } from 'node:path'

/** `page`, `to`: paths in the site. The address holds for any place of the site. */
export const addressFrom = (page: string, to: string): string =>
  posix.relative(posix.dirname(page), to).split('/').map(encodeURIComponent).join('/')

/** The address of a page, for search engines: that of the index is the site's. `origin`: with a slash at its end. */
export const publicAddress = (origin: string, page: string): string =>
  origin + (page === 'index.html' ? '' : addressFrom('', page))
