import { addDays, daysBetween } from '../../kernel/businessDay'

const YEAR_DAYS = 366

/** Of a batch: its days, and how long such a product keeps where the batch does not say when it was made. */
export type Life = { producedOn: string | null; expiresOn: string; shelfLifeDays: number | null }

/**
 * The first day on which a batch is near its expiry: so many months before it as the merchant says for its storage; of
 * what keeps for a year at most, half of its shelf life.
 */
export function nearFrom(life: Life, months: number): string {
  const shelf = shelfDaysOf(life)
  const byMonths = addMonths(life.expiresOn, -months)
  if (shelf === null || shelf > YEAR_DAYS) return byMonths
  return addDays(life.expiresOn, -Math.floor(shelf / 2))
}

function shelfDaysOf({ producedOn, expiresOn, shelfLifeDays }: Life): number | null {
  return producedOn === null ? shelfLifeDays : daysBetween(producedOn, expiresOn)
}

/** The last day of a shorter month stands for days that it lacks. */
export function addMonths(day: string, months: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  const month = at.getUTCMonth() + months
  const last = new Date(Date.UTC(at.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(at.getUTCFullYear(), month, Math.min(at.getUTCDate(), last))).toISOString().slice(0, 10)
}
