import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { revealPatient } from '@aisle/contract/pharmacy/review'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { Dialog } from '../../ui/feedback/dialog'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import type { Detail } from './prescriptionDrawer'

/** The whole name, for who may and says why; `onShown` instead of a dialog where the page shows it itself. */
export function RevealPatient(props: { detail: Detail; onShown?: (patient: OutputOf<typeof revealPatient>) => void }) {
  const { detail, onShown } = props
  const t = useText('pharmacy')
  const kernel = useText('kernel')
  const [patient, setPatient] = useState<OutputOf<typeof revealPatient> | null>(null)
  const close = () => setPatient(null)
  return (
    <>
      <CommandButton
        endpoint={revealPatient}
        verb="revealPatient"
        t={t}
        target={{ id: detail.id }}
        changes={[]}
        onDone={onShown ?? setPatient}
      />
      {patient && (
        <Dialog
          title={detail.code}
          onSubmit={close}
          onCancel={close}
          actions={
            <button type="submit" className="btn btn-main">
              {kernel('action.close')}
            </button>
          }
        >
          <Facts
            facts={[
              { label: t('field.patientName'), value: patient.name },
              { label: t('field.idNumber'), value: patient.idNumber },
            ]}
          />
        </Dialog>
      )}
    </>
  )
}
