export type Mailbox<T> = {
  put(item: T): void
  /** The oldest item that fits, now or as soon as it comes; each item is given out once. */
  take(fits: (item: T) => boolean, withinMs: number, what: string): Promise<T>
}

type Waiter<T> = { fits: (item: T) => boolean; give: (item: T) => void }

export function createMailbox<T>(): Mailbox<T> {
  const items: T[] = []
  const waiters: Waiter<T>[] = []
  return {
    put: (item) => {
      const at = waiters.findIndex((waiter) => waiter.fits(item))
      if (at < 0) items.push(item)
      else waiters.splice(at, 1)[0]!.give(item)
    },
    take: (fits, withinMs, what) => {
      const at = items.findIndex(fits)
      if (at >= 0) return Promise.resolve(items.splice(at, 1)[0]!)
      return new Promise((resolve, reject) => {
        const waiter: Waiter<T> = {
          fits,
          give: (item) => {
            clearTimeout(patience)
            resolve(item)
          },
        }
        const patience = setTimeout(() => {
          waiters.splice(waiters.indexOf(waiter), 1)
          reject(new Error(`${what} did not come within ${withinMs} ms`))
        }, withinMs)
        waiters.push(waiter)
      })
    },
  }
}
