import { winFields, type winVerdicts } from '@aisle/contract/lottery/statistics'
import { countText } from '../../admin/fields/number'
import { StateCell } from '../../admin/fields/state'
import { useText } from '../../ui/text'
import styles from './lottery.module.css'

type Weighed = {
  plays: number
  wins: number
  oddsPermille: number
  ratePermille: number
  leastWins: number
  mostWins: number
  verdict: (typeof winVerdicts)[number]
}

/** Where the wins lie within what chance alone explains: the band is shaded, the mark is what was won. */
export function WinBand({ figures }: { figures: Weighed }) {
  const t = useText('lottery')
  const { plays, wins, leastWins, mostWins, ratePermille, oddsPermille, verdict } = figures
  const whole = Math.max(mostWins, wins, 1) * 1.25
  const at = (count: number) => `${(100 * count) / whole}%`
  const band = t('band.text', { least: countText(leastWins), most: countText(mostWins) })
  return (
    <div className={styles.odds}>
      <header>
        <strong>{`${t('field.wins')} ${countText(wins)} / ${countText(plays)}`}</strong>
        {plays > 0 && <StateCell value={verdict} field={winFields.verdict} t={t} />}
      </header>
      <div className={styles.band} role="img" aria-label={`${t('field.wins')} ${countText(wins)}, ${band}`}>
        <i style={{ insetInlineStart: at(leastWins), width: at(mostWins - leastWins) }} />
        <b style={{ insetInlineStart: at(wins) }} />
      </div>
      <small>
        {[
          `${t('field.ratePermille')} ${countText(ratePermille)}`,
          `${t('field.oddsPermille')} ${countText(oddsPermille)}`,
          `${t('field.band')} ${band}`,
        ].join(' · ')}
      </small>
    </div>
  )
}
