import { getBatch, listBatches, listBatchPlaces } from '@aisle/contract/medicine/batch'
import {
  cancelRecall,
  closeRecall,
  getRecall,
  listRecalls,
  listRecallTargets,
  noteRecall,
  recallState,
  startRecall,
} from '@aisle/contract/medicine/recall'
import { CommandButton } from '../../admin/commandButton'
import { useText } from '../../ui/text'
import type { RecallDetail } from './recallDrawer'
import { ProofButton } from './recallProof'

export const shownRecalls = [listRecalls, getRecall, listRecallTargets, listBatches, getBatch, listBatchPlaces] as const

/** The next step stands first; who may not take it reads why. */
export function RecallVerbs({ recall }: { recall: RecallDetail }) {
  const t = useText('medicine')
  const { id, number, state, isDrill, mayStart, mayClose, pending, notified, acknowledged } = recall
  const common = { t, target: { id }, vars: { number }, changes: shownRecalls }
  const can = (verb: keyof typeof recallState.moves) => recallState.can(state, verb)
  if (!recall.isOwn) {
    return recall.hasProof ? (
      <ProofButton id={id} />
    ) : (
      <span className="quiet">{t('batch.above', { name: recall.merchantName })}</span>
    )
  }
  const isDone = pending + notified + acknowledged === 0
  return (
    <>
      {can('start') && (
        <CommandButton
          {...common}
          endpoint={startRecall}
          verb={isDrill ? 'startDrill' : 'startRecall'}
          tone={isDrill ? 'main' : 'danger'}
          isEnabled={mayStart}
        />
      )}
      {can('close') && (
        <>
          <CommandButton
            {...common}
            endpoint={closeRecall}
            verb="closeRecall"
            tone="main"
            isEnabled={mayClose && isDone}
          />
          <CommandButton
            {...common}
            endpoint={noteRecall}
            verb="noteRecall"
            names={['kind', 'quantity', 'note']}
            fields={{ kind: { kind: 'state', words: 'kind', tones: {} }, quantity: { kind: 'count' } }}
            initial={{ kind: 'notice', quantity: 0 }}
          />
        </>
      )}
      {can('cancel') && <CommandButton {...common} endpoint={cancelRecall} verb="cancelRecall" />}
      {recall.hasProof && <ProofButton id={id} />}
    </>
  )
}
