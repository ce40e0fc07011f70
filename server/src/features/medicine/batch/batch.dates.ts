import { dayOfLabel } from '@aisle/contract/medicine/batch'
import { addDays } from '../../../kernel/businessDay'

type Dates = { producedOn: string | null; expiresOn: string | null }

/**
 * The last day of a batch: what the label says wins, else the product's shelf life from the day it was made.
 * @returns null where neither says a day, or where it would have expired before it was made
 */
export function lastDayOfBatch({ producedOn, expiresOn }: Dates, shelfLifeDays: number | null): string | null {
  const day =
    expiresOn !== null
      ? dayOfLabel(expiresOn)
      : producedOn !== null && shelfLifeDays !== null
        ? addDays(producedOn, shelfLifeDays)
        : null
  return day !== null && (producedOn === null || producedOn <= day) ? day : null
}
