export { answer as DELETE, answer as GET, answer as OPTIONS, answer as POST } from '../../../lib/chat.js'

export const dynamic = 'force-dynamic'
