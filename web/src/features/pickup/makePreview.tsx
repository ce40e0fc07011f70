import type { previewBatch } from '@aisle/contract/pickup/batch'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { countText } from '../../admin/fields/number'
import { When } from '../../admin/fields/time'
import type { CallFailure } from '../../live/failure'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './pickup.module.css'
import { classes } from '../../ui/classes'

type Preview = OutputOf<typeof previewBatch>

/** What would be made, and what about it a person should know before. */
export function MakePreview(props: { preview: Preview | undefined; failure: CallFailure | null }) {
  const { preview, failure } = props
  const t = useText('pickup')
  if (failure) {
    return (
      <p className={classes(styles.preview, 'fault')} role="alert">
        {failure.message}
      </p>
    )
  }
  if (!preview) return <p className="quiet">{t('preview.counting')}</p>
  const { goods, count, pieces, valueFen, machines, complete, expiresAt } = preview
  return (
    <div className={styles.preview} role="status">
      <p>
        <strong>{goods.map(({ name, quantity }) => `${name} × ${quantity}`).join(' · ')}</strong>
      </p>
      <p>
        {t('preview.makes', { count: countText(count), pieces: countText(pieces) })} <Money fen={valueFen} />
      </p>
      <p>
        {t('preview.until')} <When at={expiresAt} />
      </p>
      <p>{t('preview.machines', { machines: countText(machines), complete: countText(complete) })}</p>
      <Limit preview={preview} />
      <Warnings preview={preview} />
    </div>
  )
}

function Limit({ preview: { limit, inForce, count, isOverLimit } }: { preview: Preview }) {
  const t = useText('pickup')
  if (limit === null) return null
  const vars = { limit: countText(limit), inForce: countText(inForce), left: countText(Math.max(0, limit - inForce)) }
  if (!isOverLimit) return <p>{t('preview.limit', vars)}</p>
  return (
    <p className="fault" role="alert">
      {t('preview.overLimit', { ...vars, count: countText(count) })}
    </p>
  )
}

function Warnings({ preview: { goods, machines, blocked } }: { preview: Preview }) {
  const t = useText('pickup')
  return (
    <ul className={styles.warnings}>
      {machines === 0 && <li>{t('preview.nowhere')}</li>}
      {goods.map(
        ({ code, name, machines: some }) =>
          machines > 0 && some === 0 && <li key={code}>{t('preview.unsold', { name, code })}</li>,
      )}
      {goods.map(
        ({ code, name, isPrescription }) =>
          isPrescription && <li key={`rx${code}`}>{t('preview.prescription', { name })}</li>,
      )}
      {blocked.length > 0 && (
        <li>{t('preview.blocked', { machines: blocked.map(({ code }) => code).join(' '), count: blocked.length })}</li>
      )}
    </ul>
  )
}
