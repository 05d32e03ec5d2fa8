// The one limiter that needs no module of Node: the package's own entry also imports `cluster`, which other hosts lack.

declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  export { RateLimiterMemory as default } from 'rate-limiter-flexible'
}
