/** An order to a bank as it is kept; the number stays the same however often it is given. */
export type BankAsk = {
  reference: string
  amountFen: number
  /** Where it goes. */
  holder: string
  bank: string
  accountNumber: string
}

/**
 * `accepted`: on its way. `failed`: nothing moved. `returned`: it was paid, and came back. `notFound`: never heard of.
 * `unknown`: silence, or an answer that can't be trusted.
 */
export type BankAnswer = {
  outcome: 'accepted' | 'paid' | 'failed' | 'returned' | 'notFound' | 'unknown'
  /** As the bank says it; null where it says none. */
  amountFen: number | null
  bankNo: string | null
  code: string | null
}

/** `reference`: what the order was named by whoever gave it; `bankNo`: what the bank names its own doing. */
export type StatementLine = { kind: 'paid' | 'returned'; reference: string; bankNo: string; amountFen: number }

/**
 * The bank or licensed payment company that holds the money, behind one type. Calls end in time and never throw for
 * what the other side does; none may run inside a transaction. The same number pays once.
 */
export type Bank = {
  pay: (ask: BankAsk) => Promise<BankAnswer>
  query: (reference: string) => Promise<BankAnswer>
  /** What it paid and what came back on a day that is over, a page at a time; null where it can't be had yet. */
  statement: (day: string, page: number) => Promise<{ lines: StatementLine[]; isLast: boolean } | null>
}
