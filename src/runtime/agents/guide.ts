import type { Database } from '../store/index.ts'
import type { Agent } from './agent.ts'

export async function createGuide(_: { database: Database; folder: string }): Promise<Agent> {
  return {
    name: 'Foyer guide',
    async *act(turn) {
      yield { type: 'thinking' }
      const words = turn.cause === 'join' ? 'Hello, I am the guide.' : `You said **${turn.text}**.`
      for (const word of words.split(/(?<= )/)) {
        await turn.sleep(25)
        yield { type: 'text', text: word }
      }
      yield { type: 'finish' }
    },
  }
}
