export { type Bus, type BusLink, type BusListener, createBus, type News } from './bus.ts'
export { deploymentOf } from './deployment.ts'
export { createNotifyLink, type NotifyOptions } from './notify.ts'
export { createRedisLink } from './redis.ts'
