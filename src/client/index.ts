export { requestAccessToken } from './access-token.ts'
export { ClientError } from './client-error.ts'
