import { businessDay } from '../../ui/days'
import { now } from '../../live/clock'

/** The last day on which a grant holds, as YYYY-MM-DD. @param endsAt the first moment after it */
export const dayText = (endsAt: string): string => businessDay(Date.parse(endsAt) - 1)

export const today = (): string => businessDay(now())
