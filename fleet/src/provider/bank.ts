import { createHmac } from 'node:crypto'

const chinaDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' })

export type BankOrder = { reference: string; amountFen: number; accountNumber: string }
type End = 'accepted' | 'paid' | 'failed' | 'returned'

/** How a bank behaves; as shipped it takes an order and has paid it when it is asked. */
export type BankHow = {
  /** So often an order is only on its way when it is asked about. */
  delays: (order: BankOrder) => number
  /** What it says when, one after the other; the last one stays. */
  ends: (order: BankOrder) => readonly End[]
  /** Whether the answer to the n-th call about an order is lost; what was asked is done all the same. */
  loses: (reference: string, call: number) => boolean
  /** The day on which it takes what it is told now. */
  today: () => string
  /** Lines of its statement of a day as they leave it; a real one may forget or double some, or name others. */
  lines: (day: string, told: readonly StatementLine[]) => readonly StatementLine[]
}

type StatementLine = { kind: 'paid' | 'returned'; reference: string; bankNo: string; amountFen: number }
const PAGE = 100

type Kept = BankOrder & { asked: number; bankNo: string; day: string }

export type BankStandIn = {
  how: BankHow
  /** Each order that was paid, in the order in which it was taken; a number is in it once. */
  orders: ReadonlyMap<string, Kept>
  /** Nothing was ever asked of it. */
  forget: () => void
  /** @returns null for whom it does not know and where the answer is lost */
  hear: (headers: Readonly<Record<string, unknown>>, body: string) => { status: number; body: string } | null
}

/**
 * A bank as it stands in for tests and for the demo: it checks signatures, takes an order once under its number, takes
 * its time, refuses, sends back, contradicts itself and falls silent.
 */
export function openBankStandIn(
  secretOf: (customer: string) => string | undefined,
  given: Partial<BankHow> = {},
): BankStandIn {
  const how: BankHow = {
    delays: () => 0,
    ends: () => ['paid'],
    loses: () => false,
    today: () => chinaDay.format(),
    lines: (_, told) => told,
    ...given,
  }
  const orders = new Map<string, Kept>()
  const calls = new Map<string, number>()
  const stateOf = (order: Kept): End => {
    const after = order.asked - how.delays(order)
    if (after <= 0) return 'accepted'
    const ends = how.ends(order)
    return ends[Math.min(after, ends.length) - 1] ?? 'paid'
  }
  const said = (order: Kept) => {
    const { reference, amountFen, bankNo } = order
    const state = stateOf(order)
    const reason = state === 'failed' || state === 'returned' ? '收款账号与户名不符' : ''
    return { reference, state, amountFen, bankNo, reason }
  }
  const pay = ({ reference, amountFen, accountNumber }: BankOrder) => {
    const known = orders.get(reference)
    if (known) return said(known)
    const bankNo = `B${String(orders.size + 1).padStart(10, '0')}`
    const order: Kept = { reference, amountFen, accountNumber, asked: 0, bankNo, day: how.today() }
    orders.set(reference, order)
    return said(order)
  }
  const query = (reference: string) => {
    const order = orders.get(reference)
    if (!order) return { reference, state: 'notFound' }
    order.asked += 1
    return said(order)
  }
  const statement = (day: string, page: number) => {
    if (day >= how.today()) return { reference: day, state: 'notYet' }
    const lines = how.lines(
      day,
      [...orders.values()].filter((order) => order.day === day).flatMap((order) => linesOf(order, how.ends(order))),
    )
    const isLast = page * PAGE >= lines.length
    return { reference: day, isLast, lines: lines.slice((page - 1) * PAGE, page * PAGE) }
  }
  return {
    how,
    orders,
    forget: () => [orders, calls].forEach((each) => each.clear()),
    hear: (headers, body) => {
      const asked = JSON.parse(body) as BankOrder & { kind: string; customer: string; page: number }
      const signed = `${String(headers['x-aisle-timestamp'])}\n${body}`
      const secret = secretOf(asked.customer)
      const signature = createHmac('sha256', secret ?? '')
        .update(signed)
        .digest('hex')
      if (secret === undefined || signature !== headers['x-aisle-signature']) return { status: 401, body: '' }
      const { kind, reference, page } = asked
      const answer = kind === 'pay' ? pay(asked) : kind === 'statement' ? statement(reference, page) : query(reference)
      const call = (calls.get(asked.reference) ?? 0) + 1
      calls.set(asked.reference, call)
      return how.loses(asked.reference, call) ? null : { status: 200, body: JSON.stringify(answer) }
    },
  }
}

/** Whatever it once said: what it paid stays paid, and what came back came back the same day. */
function linesOf(order: Kept, ends: readonly End[]): StatementLine[] {
  const { reference, amountFen, bankNo } = order
  const line = (kind: StatementLine['kind']) => ({ kind, reference, bankNo, amountFen })
  if (ends.includes('returned')) return [line('paid'), line('returned')]
  return ends.at(-1) === 'paid' ? [line('paid')] : []
}
