// Names the hub's topic for those who run, or wait for, a session's turn.

export const turnTopic = (sessionId: string): string => `turn:${sessionId}`
