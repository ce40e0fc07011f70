import { useNow } from '../../live/clock'
import { currentLocale, useText } from '../../ui/text'
import type { CellProps, Kind } from './kind'
import { absoluteTime, clockTime, momentText, relativeTime } from './time-text'

const EVERY_MS = 5_000

/** How long ago, and on hover exactly when and in which zone. */
export function Ago({ at }: { at: string | null }) {
  const t = useText('admin')
  const nowMs = useNow(EVERY_MS)
  if (!at) return <span className="cell-quiet">{t('time.never')}</span>
  const locale = currentLocale()
  return (
    <time dateTime={at} data-hint={absoluteTime(at, locale)}>
      {relativeTime(at, nowMs, locale)}
    </time>
  )
}

/** The moment to the second and how long ago: where somebody asks "when exactly?". */
export function When({ at }: { at: string }) {
  return (
    <>
      {momentText(at, currentLocale())} · <Ago at={at} />
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

const DateTimeCell = ({ value }: CellProps) => <Ago at={typeof value === 'string' ? value : null} />

export const dateTimeKind: Kind = { Cell: DateTimeCell, place: 'line' }
