/** A wait that may be called off. `everyTicks` 0 runs once. */
export type Ticket = {
  run: () => void
  atTick: number
  everyTicks: number
  prev: Ticket | null
  next: Ticket | null
}

export type Wheel = {
  after(ms: number, run: () => void): Ticket
  every(ms: number, run: () => void, firstMs?: number): Ticket
  cancel(ticket: Ticket | null): void
  pause(ms: number): Promise<void>
  /** Runs what is due. Whoever made the wheel calls this; the wheel owns no timer. */
  advance(): void
}

const SLOTS = 1024

/**
 * One hashed timer wheel for all machines: setting, moving and cancelling a wait costs the same for ten machines
 * as for ten thousand, and the process wakes on one timer only.
 */
export function createWheel(steadyMs: () => number, tickMs = 100): Wheel {
  const slots: Ticket[] = Array.from({ length: SLOTS }, ring)
  const tickNow = () => Math.floor(steadyMs() / tickMs)
  let doneTick = tickNow()

  const insert = (ticket: Ticket) => {
    const head = slots[ticket.atTick % SLOTS]!
    ticket.prev = head.prev
    ticket.next = head
    head.prev!.next = ticket
    head.prev = ticket
  }

  const add = (ms: number, everyMs: number, run: () => void): Ticket => {
    const atTick = Math.max(doneTick + 1, Math.ceil((steadyMs() + ms) / tickMs))
    const everyTicks = everyMs > 0 ? Math.max(1, Math.round(everyMs / tickMs)) : 0
    const ticket: Ticket = { run, atTick, everyTicks, prev: null, next: null }
    insert(ticket)
    return ticket
  }

  const advance = () => {
    const now = tickNow()
    // After a long sleep of the whole process one turn of the wheel sees every slot.
    const from = Math.max(doneTick + 1, now - SLOTS + 1)
    doneTick = Math.max(doneTick, now)
    for (let tick = from; tick <= now; tick += 1) {
      for (const ticket of dueIn(slots[tick % SLOTS]!, now)) {
        if (!ticket.next) continue
        unlink(ticket)
        if (ticket.everyTicks > 0) {
          ticket.atTick = now + ticket.everyTicks
          insert(ticket)
        }
        ticket.run()
      }
    }
  }

  return {
    after: (ms, run) => add(ms, 0, run),
    every: (ms, run, firstMs = ms) => add(firstMs, ms, run),
    cancel: (ticket) => ticket && unlink(ticket),
    pause: (ms) => new Promise((resolve) => add(ms, 0, resolve)),
    advance,
  }
}

function ring(): Ticket {
  const head: Ticket = { run: () => {}, atTick: 0, everyTicks: 0, prev: null, next: null }
  head.prev = head
  head.next = head
  return head
}

function unlink(ticket: Ticket): void {
  if (!ticket.prev || !ticket.next) return
  ticket.prev.next = ticket.next
  ticket.next.prev = ticket.prev
  ticket.prev = null
  ticket.next = null
}

/** Collected before any runs: a wait may set or cancel others in the same slot. */
function dueIn(head: Ticket, now: number): Ticket[] {
  const due: Ticket[] = []
  for (let ticket = head.next!; ticket !== head; ticket = ticket.next!) if (ticket.atTick <= now) due.push(ticket)
  return due
}
