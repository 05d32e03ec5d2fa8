/** What the service itself says in a text conversation. */
export const textWords = {
  idleWarning: 'Are you still there? Reply within 10 minutes to keep this conversation open.',
} as const
