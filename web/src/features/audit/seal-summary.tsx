import { getSealState } from '@aisle/contract/audit/log'
import { countText } from '../../admin/fields/number'
import { momentText } from '../../admin/fields/time-text'
import { useEndpoint } from '../../live/query'
import { currentLocale, useText } from '../../ui/text'
import './audit.css'

/** Whether the log can be believed, above the log. */
export function SealSummary() {
  const t = useText('audit')
  const { data } = useEndpoint(getSealState, {}, { errors: 'silent' })
  if (!data) return null
  const sealed = countText(data.sealedRows)
  if (data.problems > 0) {
    return (
      <p className="seal seal-bad" role="alert">
        {t('seal.broken', { problems: data.problems })}
      </p>
    )
  }
  if (!data.checkedAt) return <p className="seal">{t('seal.unchecked', { sealed })}</p>
  return <p className="seal">{t('seal.good', { sealed, when: momentText(data.checkedAt, currentLocale()) })}</p>
}
