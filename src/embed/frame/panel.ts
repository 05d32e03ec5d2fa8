// The entry of the panel's code, alike in a frame and in the page itself.

export { loadWords } from '../../ui/index.ts'
export { openPanel } from './prechat/flow.ts'
