import { CLOCK_REFRESH_MS } from '@aisle/contract/wallboard/board'
import { useNow } from '../../live/clock'
import { useLanguage, useText } from '../../ui/text'
import type { BoardState } from './board.state'
import { agoText, timeText } from './format'
import { freshnessOf } from './link.rules'
import styles from './map/map.module.css'

/** Whether the figures on the wall are the present ones; said in words and by a dot, and loudly when they are not. */
export function FreshnessNote({ board }: { board: Pick<BoardState, 'link' | 'heardAtMs'> }) {
  const { link, heardAtMs } = board
  const t = useText('wallboard')
  const language = useLanguage()
  const nowMs = useNow(CLOCK_REFRESH_MS)
  const freshness = freshnessOf(link, heardAtMs, nowMs)
  return (
    <p className={styles.freshness} data-freshness={freshness}>
      <i aria-hidden="true" />
      {words()}
    </p>
  )

  function words(): string {
    if (freshness === 'connecting') return t('link.connecting')
    if (heardAtMs === null) return t('link.reconnectingFirst')
    if (freshness !== 'live') return t(`link.${freshness}`, { time: timeText(heardAtMs, language) })
    const seconds = Math.max(0, Math.round((nowMs - heardAtMs) / 1_000))
    return t('link.live', { ago: agoText(seconds, language) })
  }
}
