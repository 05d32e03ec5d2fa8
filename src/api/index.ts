export {
  AccessToken,
  type AccessTokenOutcome,
  type AccessTokenRequest,
  accessTokenRoute,
  readCapped,
  requestAccessToken,
} from './access-token.ts'
export { ChatError } from './error.ts'
export type { Route } from './route.ts'
export { SessionCreated, SessionRequest, sessionRoute } from './session.ts'
