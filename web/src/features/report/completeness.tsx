import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import type { getCompleteness } from '@aisle/contract/report/overview'
import { countText, permilleText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { momentText } from '../../ui/timeText'
import { Icon } from '../../ui/icons'
import { currentLocale, type Text, useLanguage, useText } from '../../ui/text'
import { usePeriod } from './scopeWords'
import styles from './report.module.css'

type Whole = OutputOf<typeof getCompleteness>

/** Up to when the figures are told, by how many machines, and what is still to come. */
export function Completeness({ query }: { query: Record<string, string> }) {
  const t = useText('report')
  const language = useLanguage()
  const { data } = usePeriod(query)
  if (!data) return <p className={styles.whole}>…</p>
  const { machines, silent, newestAt } = data
  const isWhole = silent === 0 && data.withGaps === 0 && data.heardPermille === 1_000
  return (
    <p className={styles.whole} aria-label={t('whole')}>
      <Icon name={isWhole ? 'check' : 'alert'} size={14} />
      {newestAt && <span>{t('whole.heard', { at: momentText(newestAt, currentLocale()) })}</span>}
      {machines === 0 && <span>{t('whole.none')}</span>}
      {machines > 0 && silent === 0 && <span>{t('whole.all', { machines: countText(machines) })}</span>}
      {silent > 0 && <Silent whole={data} t={t} />}
      {data.heardPermille !== null && <span>{t('whole.hours', { share: permilleText(data.heardPermille) })}</span>}
      {data.withGaps > 0 && <span>{t('whole.gaps', { count: countText(data.withGaps) })}</span>}
      {data.lateOrders > 0 && (
        <span>{t('whole.late', { count: countText(data.lateOrders), amount: moneyText(data.lateFen, language) })}</span>
      )}
      {data.openDays > 0 && (
        <span>{t('whole.open', { count: countText(data.openDays), days: countText(data.days) })}</span>
      )}
    </p>
  )
}

function Silent({ whole: { silent, machines, silentSince }, t }: { whole: Whole; t: Text<'report'> }) {
  const words = t('whole.silent', { silent: countText(silent), machines: countText(machines) })
  const since = silentSince && t('whole.silentSince', { at: momentText(silentSince, currentLocale()) })
  return (
    <span data-hint={since ?? undefined}>
      <ScreenLink screen="shj/ztcx" search={{ connection: 'offline' }}>
        {words}
      </ScreenLink>
    </span>
  )
}
