import type { Figures } from '@aisle/contract/wallboard/board'

export const metrics = ['amount', 'number'] as const
export type Metric = (typeof metrics)[number]
export type Counter = 'total' | 'today' | 'online'

/** Whole fen for amounts (the wire speaks yuan), whole sales for numbers. */
export function counterValues(figures: Figures, metric: Metric): Record<Counter, number> {
  if (metric === 'number') {
    return {
      total: figures.allTransactionsNumberSum,
      today: figures.todaytransactionsNumberSum,
      online: figures.todaytransactionsNumberOnLine,
    }
  }
  return {
    total: fenOfYuan(figures.allTransactionSum),
    today: fenOfYuan(figures.todaytransactionsSum),
    online: fenOfYuan(figures.todaytransactionsOnLine),
  }
}

export const fenOfYuan = (amount: number) => Math.round(amount * 100)

/** Null where there is nothing to divide by. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** 0.062 for six per cent more than then. */
export const changeSince = (then: number, today: number): number | null => (then === 0 ? null : today / then - 1)
