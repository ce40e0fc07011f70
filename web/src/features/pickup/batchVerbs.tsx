import {
  batchFields,
  cancelBatch,
  extendBatch,
  getBatch,
  listBatches,
  listReleased,
  MOST_PRINTED,
  pickupBatchState,
  releaseCodes,
  type ReleasedCode,
  releasedFields,
} from '@aisle/contract/pickup/batch'
import { getPickupCode, listPickupCodes, summarisePickupCodes } from '@aisle/contract/pickup/pickupCode'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { ExportButton } from '../../admin/exportButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { readRows } from '../../admin/useList'
import { Dialog } from '../../ui/feedback/dialog'
import { useText } from '../../ui/text'
import type { BatchDetail } from './batchDrawer'
import { Paper } from './cards'
import styles from './pickup.module.css'

const shown = [listBatches, getBatch, listPickupCodes, getPickupCode, summarisePickupCodes] as const

export function BatchVerbs({ batch }: { batch: BatchDetail }) {
  const t = useText('pickup')
  const { id, state, living, description, made, count } = batch
  const isOver = pickupBatchState.is(state, 'over')
  const common = { t, target: { id }, changes: shown, fields: batchFields }
  return (
    <>
      <Print batch={batch} />
      <Export batch={batch} />
      <CommandButton
        {...common}
        endpoint={extendBatch}
        verb="extendBatch"
        vars={{ count: countText(living) }}
        isEnabled={!isOver && (living > 0 || pickupBatchState.is(state, 'making'))}
      />
      <CommandButton
        {...common}
        endpoint={cancelBatch}
        verb="cancelBatch"
        tone="danger"
        vars={{ description, count: countText(living + count - made) }}
        isEnabled={!pickupBatchState.is(state, 'cancelled') && (living > 0 || pickupBatchState.is(state, 'making'))}
      />
    </>
  )
}

/** Codes in clear leave by one of two ways; each time it is written down who opened which. */
function Release(props: { batch: BatchDetail; use: 'print' | 'export'; most: number; onDone: (id: number) => void }) {
  const { batch, use, most, onDone } = props
  const t = useText('pickup')
  const { id, living, made } = batch
  return (
    <CommandButton
      t={t}
      endpoint={releaseCodes}
      verb={use === 'print' ? 'printCodes' : 'exportCodes'}
      target={{ id, use }}
      initial={{ fromSerial: 1, toSerial: Math.min(most, made) }}
      changes={[getPickupCode]}
      isEnabled={living > 0 && !pickupBatchState.is(batch.state, 'cancelled')}
      onDone={({ releaseId }) => onDone(releaseId)}
    />
  )
}

function Print({ batch }: { batch: BatchDetail }) {
  const t = useText('pickup')
  const kernel = useText('kernel')
  const [codes, setCodes] = useState<readonly ReleasedCode[] | null>(null)
  const close = () => setCodes(null)
  return (
    <>
      <Release
        batch={batch}
        use="print"
        most={MOST_PRINTED}
        // Not through the cache of what was read: codes in clear stay no longer than their dialog.
        onDone={(releaseId) => void readRows(listReleased, { releaseId }).then(setCodes)}
      />
      {codes && (
        <Dialog
          title={t('cards.title', { count: countText(codes.length) })}
          onSubmit={() => window.print()}
          onCancel={close}
          actions={
            <>
              <button type="button" className="btn" onClick={close}>
                {kernel('action.close')}
              </button>
              <button type="submit" className="btn btn-main">
                {t('cards.print')}
              </button>
            </>
          }
        >
          <p>{t('cards.ready', { pages: countText(Math.ceil(codes.length / CARDS_A_PAGE)) })}</p>
          <p className="quiet">{t('cards.note')}</p>
          <Paper codes={codes} />
        </Dialog>
      )}
    </>
  )
}

/** As print.css lays them out on A4. */
const CARDS_A_PAGE = 10
function Export({ batch }: { batch: BatchDetail }) {
  const t = useText('pickup')
  const kernel = useText('kernel')
  const [releaseId, setReleaseId] = useState<number | null>(null)
  const close = () => setReleaseId(null)
  return (
    <>
      <Release batch={batch} use="export" most={batch.count} onDone={setReleaseId} />
      {releaseId !== null && (
        <Dialog
          title={t('export.title')}
          onSubmit={close}
          onCancel={close}
          actions={
            <button type="submit" className="btn btn-main">
              {kernel('action.close')}
            </button>
          }
        >
          <p>{t('export.note')}</p>
          <div className={styles.export}>
            <ExportButton
              list={listReleased.name}
              query={{ releaseId: String(releaseId) }}
              columns={Object.keys(releasedFields)}
            />
            <ScreenLink screen="tjfx/bbdc" search={{}}>
              {t('export.centre')}
            </ScreenLink>
          </div>
        </Dialog>
      )}
    </>
  )
}
