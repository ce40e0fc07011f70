import { useNow } from '../../live/clock'
import { useExactTimes } from '../../ui/prefs'
import { currentLocale, useText } from '../../ui/text'
import type { CellProps, Kind } from './kind'
import { Nothing } from './text'
import { absoluteTime, clockTime, dayText, isNear, momentText, relativeTime } from '../../ui/timeText'

const EVERY_MS = 5_000

/** How long ago, and on hover exactly when and in which zone; the other way round for who wants it so. */
export function Ago({ at }: { at: string | null }) {
  const t = useText('admin')
  const nowMs = useNow(EVERY_MS)
  const isExact = useExactTimes()
  if (!at) return <span className="cell-quiet">{t('time.never')}</span>
  const locale = currentLocale()
  return (
    <time dateTime={at} data-hint={isExact ? relativeTime(at, nowMs, locale) : absoluteTime(at, locale)}>
      {isExact ? momentText(at, locale) : relativeTime(at, nowMs, locale)}
    </time>
  )
}

/** The moment to the second and, while that says more, how long ago: where somebody asks "when exactly?". */
export function When({ at }: { at: string }) {
  const nowMs = useNow(EVERY_MS)
  const isExact = useExactTimes()
  return (
    <>
      {momentText(at, currentLocale())}{' '}
      {!isExact && isNear(at, nowMs) && (
        <>
          · <Ago at={at} />
        </>
      )}
    </>
  )
}

/** The time of day, for a story whose moments are seconds apart. */
export function Clock({ at }: { at: string }) {
  const locale = currentLocale()
  return (
    <time dateTime={at} data-hint={absoluteTime(at, locale)}>
      {clockTime(at, locale)}
    </time>
  )
}

/** A day of the calendar, the same in every zone. */
export const Day = ({ on }: { on: string }) => <time dateTime={on}>{dayText(on, currentLocale())}</time>

const DayCell = ({ value }: CellProps) => (typeof value === 'string' ? <Day on={value} /> : <Nothing />)

export const dayKind: Kind = { Cell: DayCell, place: 'line' }

/** What has not happened says so only where that is worth knowing of a row; elsewhere there is nothing to show. */
function DateTimeCell({ value, field }: CellProps) {
  if (typeof value === 'string') return <Ago at={value} />
  return field.kind === 'dateTime' && field.saysNever ? <Ago at={null} /> : <Nothing />
}

export const dateTimeKind: Kind = { Cell: DateTimeCell, place: 'line' }
