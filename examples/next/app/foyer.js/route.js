export { answer as GET } from '../../lib/chat.js'

export const dynamic = 'force-dynamic'
