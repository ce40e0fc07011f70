import { useNow } from '../../live/clock'
import { useLanguage } from '../../ui/text'
import { weekdayText } from './format'

const MINUTE_MS = 60_000

/** Today's weekday, which is also the name of the day a week ago that figures are compared with. */
export function useLastWeekday(): string {
  const language = useLanguage()
  const atMs = useNow(MINUTE_MS)
  return weekdayText(atMs, language)
}
