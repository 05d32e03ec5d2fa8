// Creates domain events, with which a noun tells the nouns above it what it did, inside its transaction.

export interface DomainEvent<T> {
  /** Registers a subscriber. Only the wiring calls it, before anything is published. */
  subscribe(subscriber: (happening: T) => Promise<void> | void): void
  /** Runs the subscribers one after the other. Rejects with the first failure, which rolls the transaction back. */
  publish(happening: T): Promise<void>
}

export function createDomainEvent<T>(): DomainEvent<T> {
  const subscribers: ((happening: T) => Promise<void> | void)[] = []
  return {
    subscribe: (subscriber) => void subscribers.push(subscriber),
    async publish(happening) {
      for (const subscriber of subscribers) await subscriber(happening)
    },
  }
}
