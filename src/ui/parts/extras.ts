// Lists what a visitor does not need to read and to write, and the styles: one file of the build.

import cards from '../answer/cards.css?inline'
import confirm from '../answer/confirm.css?inline'
import menu from '../menu/menu.css?inline'
import search from '../menu/search.css?inline'
import rating from '../rating/rating.css?inline'

export { Cards } from '../answer/cards.tsx'
export { Confirm } from '../answer/confirm.tsx'
export { copy } from '../letter/copy.ts'
export { Menu } from '../menu/menu.tsx'
export { Search } from '../menu/search.tsx'
export { openPrechat } from '../prechat/prechat.tsx'
export { Comment } from '../rating/comment.tsx'
export { Rating } from '../rating/rating.tsx'
export { FoldedText } from '../transcript/folded-text.tsx'

export const styles = [menu, search, rating, cards, confirm].join('\n')
