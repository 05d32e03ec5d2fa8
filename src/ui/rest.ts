// Lists the parts of the panel that a visitor may need soon and does not need to write the first message. They load in one request
// beside the panel.

export { Avatar, Byline } from './avatar.tsx'
export { counted, Trouble } from './limits.tsx'
export { Notice } from './notice.tsx'
export { Outcome } from './outcome.tsx'
export { Over } from './over.tsx'
export { Pill } from './pill.tsx'
export { queueText } from './queue.tsx'
export { RatingPlace } from './rating-place.tsx'
export { default as styles } from './rest.css?inline'
export { clockTime } from './time.ts'
