import { getSealState } from '@aisle/contract/audit/log'
import { countText } from '../../admin/fields/number'
import { momentText } from '../../ui/timeText'
import { useEndpoint } from '../../live/query'
import { currentLocale, useText } from '../../ui/text'
import styles from './audit.module.css'
import { classes } from '../../ui/classes'

/** Whether the log can be believed, above the log. */
export function SealSummary() {
  const t = useText('audit')
  const { data } = useEndpoint(getSealState, {}, { errors: 'silent' })
  if (!data) return null
  const sealed = countText(data.sealedRows)
  if (data.problems > 0) {
    return (
      <p className={classes(styles.seal, styles.bad)} role="alert">
        {t('seal.broken', { problems: data.problems })}
      </p>
    )
  }
  if (!data.checkedAt) return <p className={styles.seal}>{t('seal.unchecked', { sealed })}</p>
  return <p className={styles.seal}>{t('seal.good', { sealed, when: momentText(data.checkedAt, currentLocale()) })}</p>
}
