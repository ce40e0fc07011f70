import { MOST_BALANCE_DAYS } from '@aisle/contract/funds/balance'
import { addDays } from '../../kernel/businessDay'
import { refuse } from '../../kernel/refuse'

type Asked = { from?: string | undefined; to?: string | undefined }

/**
 * The month of the last day where no first one is named; through today where no last one is.
 * @throws Refusal balance.period
 */
export function periodOf({ from, to }: Asked, today: string): { from: string; to: string } {
  const last = to ?? (from !== undefined && from > today ? from : today)
  const first = from ?? `${last.slice(0, 8)}01`
  if (first > last || addDays(first, MOST_BALANCE_DAYS) <= last) refuse('balance.period', { most: MOST_BALANCE_DAYS })
  return { from: first, to: last }
}
