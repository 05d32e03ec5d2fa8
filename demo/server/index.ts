export { createDemo } from './demo.ts'
export { demoApiKeys, demoConnector, demoKeys, demoProject } from './identities.ts'
