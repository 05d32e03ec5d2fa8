export {
  type Env,
  headerName,
  type NounRoutes,
  pathPart,
  type Refusal,
  type RequestContext,
  readBody,
  refuse,
  routed,
} from './route.ts'
export { correlationHeaderOf, correlationOf, createRouter } from './router.ts'
