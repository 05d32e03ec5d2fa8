export { createDemo } from './demo.ts'
export { demoApiKeys, demoConnector, demoKeys, demoProject } from './identities.ts'
export { playTourPerson, tourWords, withTour } from './tour/index.ts'
