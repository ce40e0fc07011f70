import { useNow } from '../../live/clock'
import { useLanguage } from '../../ui/text'
import { weekdayText } from './format'

const MINUTE_MS = 60_000

/**
 * The weekday of what is shown, which is also the name of the day a week before that figures are compared with.
 * @param shownMs of a replay; null on the live board
 */
export function useLastWeekday(shownMs: number | null): string {
  const language = useLanguage()
  const nowMs = useNow(MINUTE_MS)
  return weekdayText(shownMs ?? nowMs, language)
}
