// Lists what a visitor does not need to read and to write, and the styles: one file of the build.

import cards from './cards.css?inline'
import menu from './menu.css?inline'
import rating from './rating.css?inline'
import search from './search.css?inline'

export { Cards } from './cards.tsx'
export { Comment } from './comment.tsx'
export { openDoor } from './door.tsx'
export { download } from './download.tsx'
export { Menu } from './menu.tsx'
export { Rating } from './rating.tsx'
export { Search } from './search.tsx'

export const styles = [menu, search, rating, cards].join('\n')
