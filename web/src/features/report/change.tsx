import { numberFormat } from '@aisle/contract/kernel/formatters'
import { currentLocale, useText } from '../../ui/text'
import { changePermille } from './change.rules'
import styles from './report.module.css'
import { classes } from '../../ui/classes'

/** More or less than in the time before, with its sign: an arrow and a word, not a colour alone. */
export function Change({ now, before, isBad = false }: { now: number; before: number; isBad?: boolean }) {
  const t = useText('report')
  const permille = changePermille(now, before)
  if (permille === null) return <span className={styles.change}>{now === 0 ? t('change.same') : t('change.new')}</span>
  if (permille === 0) return <span className={styles.change}>{t('change.same')}</span>
  const text = numberFormat(currentLocale(), {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'always',
  }).format(permille / 1_000)
  const isGood = permille > 0 !== isBad
  return (
    <span className={classes(styles.change, isGood ? styles.changeGood : styles.changeBad)}>
      {permille > 0 ? '▲' : '▼'} {text}
    </span>
  )
}
