export { answerClientError, endWithProblem, refusedRequest } from './client-error.ts'
export {
  type Env,
  HttpError,
  type NounRoutes,
  type ProjectRequest,
  projectRequest,
  type RequestContext,
  readBody,
  routed,
} from './route.ts'
export { createRouter } from './router.ts'
