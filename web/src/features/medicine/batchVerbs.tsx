import { listProducts } from '@aisle/contract/catalog/product'
import {
  addBatch,
  batchFields,
  editBatch,
  getBatch,
  listBatches,
  listBatchPlaces,
  lockBatch,
  rejectBatch,
  releaseBatch,
  summariseBatches,
} from '@aisle/contract/medicine/batch'
import { batchState } from '@aisle/contract/medicine/batchState'
import { addRecall, listRecalls } from '@aisle/contract/medicine/recall'
import { CommandButton } from '../../admin/commandButton'
import { refInput } from '../../admin/form/refInput'
import { useText } from '../../ui/text'
import type { BatchDetail } from './batchDrawer'

export const shownBatches = [listBatches, getBatch, listBatchPlaces, summariseBatches] as const

const MedicineInput = refInput({
  list: listProducts,
  query: { kind: 'medicine' },
  optionOf: ({ id, name, specification, code }) => ({ value: id, word: name, note: `${specification} · ${code}` }),
})

export function MakeBatch() {
  const t = useText('medicine')
  return (
    <CommandButton
      endpoint={addBatch}
      verb="addBatch"
      t={t}
      tone="main"
      fields={{ producedOn: batchFields.producedOn, expiresOn: { kind: 'text' } }}
      inputs={{ productId: MedicineInput }}
      names={['productId', 'number', 'expiresOn', 'producedOn']}
      changes={shownBatches}
    />
  )
}

export function BatchVerbs({ batch }: { batch: BatchDetail }) {
  const t = useText('medicine')
  const { id, version, number, state, producedOn, expiresOn } = batch
  const common = { t, target: { id }, vars: { number }, changes: shownBatches }
  const can = (verb: keyof typeof batchState.moves) => batchState.can(state, verb)
  if (!batch.isOwn) return <span className="quiet">{t('batch.above', { name: batch.merchantName })}</span>
  return (
    <>
      {!can('release') && <CommandButton {...common} endpoint={lockBatch} verb="lockBatch" isEnabled={can('lock')} />}
      {can('release') && <CommandButton {...common} endpoint={releaseBatch} verb="releaseBatch" tone="main" />}
      <CommandButton
        {...common}
        endpoint={addRecall}
        verb="addRecall"
        target={{ batchId: id }}
        names={['class', 'reason', 'isDrill']}
        fields={{ class: { kind: 'state', words: 'class', tones: {} }, isDrill: { kind: 'boolean' } }}
        isEnabled={!batchState.is(state, 'rejected')}
        changes={[...shownBatches, listRecalls]}
      />
      <CommandButton
        {...common}
        endpoint={editBatch}
        verb="editBatch"
        target={{ id, version }}
        fields={{ producedOn: batchFields.producedOn, expiresOn: { kind: 'text' } }}
        initial={{ producedOn, expiresOn }}
        isEnabled={!batchState.is(state, 'rejected')}
      />
      <CommandButton {...common} endpoint={rejectBatch} verb="rejectBatch" tone="danger" isEnabled={can('reject')} />
    </>
  )
}
