import { replaySpeeds } from '@aisle/contract/wallboard/replay'
import { now } from '../../../live/clock'
import { DayInput } from '../../../ui/control/dayInput'
import { Icon } from '../../../ui/icons'
import { useLanguage, useText } from '../../../ui/text'
import { countText, dateText, dawnOf, dayOf, timeText } from '../format'
import type { createReplay, ReplayState } from './replay'
import { DAY_MS } from './replay.rules'
import styles from './replay.module.css'
import boardStyles from '../board.module.css'

const MINUTE_MS = 60_000

/** Says in words and colour that this is no live board, and holds what starts, stops, and moves it through the day. */
export function ReplayBar(props: { replay: ReturnType<typeof createReplay>; state: ReplayState; onLeave: () => void }) {
  const { replay, state, onLeave } = props
  const { day, atMs, isPlaying, speed } = state
  const t = useText('wallboard')
  const language = useLanguage()
  const shownMs = dawnOf(day) + atMs
  const said = t(isPlaying ? 'replay.pause' : 'replay.play')
  return (
    <section className={styles.bar} aria-label={t('replay.title')}>
      <p className={styles.mark}>
        <b>{t('replay.title')}</b>
        <time>{timeText(shownMs, language)}</time>
        <span>{dateText(shownMs, language)}</span>
      </p>
      <div className={styles.controls}>
        <button type="button" className="icon-btn" aria-label={said} title={said} onClick={replay.toggle}>
          <Icon name={isPlaying ? 'pause' : 'play'} />
        </button>
        <input
          type="range"
          min={0}
          max={DAY_MS / MINUTE_MS}
          value={Math.floor(atMs / MINUTE_MS)}
          aria-label={t('replay.seek')}
          aria-valuetext={timeText(shownMs, language)}
          onChange={({ target }) => replay.seek(Number(target.value) * MINUTE_MS)}
        />
        <fieldset className={styles.speeds} aria-label={t('replay.speed')}>
          {replaySpeeds.map((each) => (
            <button key={each} type="button" aria-pressed={each === speed} onClick={() => replay.setSpeed(each)}>
              {each}×
            </button>
          ))}
        </fieldset>
        <DayInput
          className={styles.day}
          value={day}
          max={dayOf(now())}
          aria-label={t('replay.day')}
          onChange={(day) => day !== '' && replay.choose(day)}
        />
        <button type="button" data-part="wall-btn" className={boardStyles.btn} onClick={onLeave}>
          {t('replay.leave')}
        </button>
      </div>
      <ReplayNote state={state} />
    </section>
  )
}

/** What the person should know about what is shown; one thing at a time, the gravest first. */
function ReplayNote({ state }: { state: ReplayState }) {
  const { board, hasFailed, isWaiting, atMs } = state
  const t = useText('wallboard')
  const language = useLanguage()
  const words = () => {
    if (hasFailed) return t('replay.failed')
    if (isWaiting) return t('replay.waiting')
    if (board?.figures?.allTransactionsNumberSum === 0) return t('replay.nothing')
    if (atMs >= DAY_MS) return t('replay.end')
    const ordersAPoint = Math.round(board?.ordersAPoint ?? 1)
    if (ordersAPoint > 1) return t('replay.thinned', { orders: countText(ordersAPoint, language) })
    return t('replay.about')
  }
  return (
    <p className={styles.note} role="status">
      {words()}
    </p>
  )
}
