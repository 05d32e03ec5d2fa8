export {
  type Env,
  HttpError,
  type NounRoutes,
  type ProblemFormat,
  type ProjectRequest,
  projectRequest,
  type RequestContext,
  readBody,
  routed,
} from './route.ts'
export { correlationHeaderOf, correlationOf, createRouter } from './router.ts'
