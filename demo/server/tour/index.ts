export { playTourPerson } from './person.ts'
export { withTour } from './tour.ts'
export { tourWords } from './words.ts'
