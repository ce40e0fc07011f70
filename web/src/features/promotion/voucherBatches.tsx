import type { VoucherBatch } from '@aisle/contract/promotion/voucherPlan'
import { releasedFields } from '@aisle/contract/promotion/voucher'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { ExportButton } from '../../admin/exportButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { When } from '../../admin/fields/time'
import { Section } from '../../ui/feedback/drawer'
import { Dialog } from '../../ui/feedback/dialog'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { changesOf, type VoucherCalls } from './voucherCalls'
import type { VoucherPlanDetail } from './voucherPlanDrawer'
import styles from './voucher.module.css'

/** Who gave how many, why and when; numbers in clear leave by a file alone, and it is written down who opened them. */
export function Batches({ plan, calls }: { plan: VoucherPlanDetail; calls: VoucherCalls }) {
  const t = useText('promotion')
  return (
    <Section title={t(`voucher.batches.${calls.kind}`)} note={t('voucher.batches.help')}>
      {plan.batches.length === 0 && <p className="quiet">{t(`voucher.batches.none.${calls.kind}`)}</p>}
      <ul className={styles.batches}>
        {plan.batches.map((batch) => (
          <li key={batch.id} aria-label={batch.reason}>
            <Batch batch={batch} calls={calls} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Batch({ batch, calls }: { batch: VoucherBatch; calls: VoucherCalls }) {
  const t = useText('promotion')
  const { id, kind, count, made, unused, reason, createdBy, createdAt, expiresAt, cancelledAt } = batch
  const common = { t, target: { id }, vars: { count: countText(unused), reason }, changes: changesOf(calls) }
  return (
    <>
      <p>
        <ScreenLink screen={calls.details} search={{ batchId: String(id) }}>
          {t(`batchKind.${kind}`, { count: countText(count) })}
        </ScreenLink>{' '}
        {cancelledAt !== null && <Tag tone="bad" word={t('voucher.batch.cancelled')} />}
      </p>
      <p className="quiet">
        {reason} · {createdBy} · <When at={createdAt} />
      </p>
      <p className="quiet">
        {t('voucher.batch.unused', { count: countText(unused) })} · {t('field.expiresAt')} <When at={expiresAt} />
      </p>
      {made < count && cancelledAt === null && (
        <p role="status" className={styles.making}>
          <progress max={count} value={made} aria-label={t('voucher.batch.progress')} />{' '}
          {t('voucher.batch.made', { made: countText(made), count: countText(count) })}
        </p>
      )}
      <div className={styles.verbs}>
        <Release batch={batch} calls={calls} />
        <CommandButton
          {...common}
          endpoint={calls.cancelBatch}
          verb="cancelVoucherBatch"
          tone="danger"
          isEnabled={cancelledAt === null}
        />
      </div>
    </>
  )
}

function Release({ batch: { id, made, unused }, calls }: { batch: VoucherBatch; calls: VoucherCalls }) {
  const t = useText('promotion')
  const kernel = useText('kernel')
  const [releaseId, setReleaseId] = useState<number | null>(null)
  const close = () => setReleaseId(null)
  return (
    <>
      <CommandButton
        t={t}
        endpoint={calls.release}
        verb="releaseVouchers"
        target={{ id }}
        initial={{ fromSerial: 1, toSerial: made }}
        changes={[]}
        isEnabled={unused > 0}
        onDone={(answer) => setReleaseId(answer.releaseId)}
      />
      {releaseId !== null && (
        <Dialog
          title={t('voucher.file')}
          onSubmit={close}
          onCancel={close}
          actions={
            <button type="submit" className="btn btn-main">
              {kernel('action.close')}
            </button>
          }
        >
          <p>{t('voucher.file.note')}</p>
          <div className={styles.verbs}>
            <ExportButton
              list={calls.released.name}
              query={{ releaseId: String(releaseId) }}
              columns={Object.keys(releasedFields)}
            />
            <ScreenLink screen="tjfx/bbdc" search={{}}>
              {t('voucher.file.centre')}
            </ScreenLink>
          </div>
        </Dialog>
      )}
    </>
  )
}
