import { getPrescription, listPrescriptions, summarisePrescriptions } from '@aisle/contract/pharmacy/prescription'
import { approvePrescription, rejectPrescription } from '@aisle/contract/pharmacy/review'
import { prescriptionState } from '@aisle/contract/pharmacy/states'
import {
  amendPrescription,
  cancelPrescription,
  submitPrescription,
  writePrescription,
} from '@aisle/contract/pharmacy/write'
import { screenOf } from '@aisle/contract/screens'
import { Link, useNavigate } from '@tanstack/react-router'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import type { Detail } from './prescriptionDrawer'

export const shownPrescriptions = [listPrescriptions, getPrescription, summarisePrescriptions] as const

export function WriteLink() {
  const t = useText('pharmacy')
  if (!can(writePrescription.access)) return null
  return (
    <Link className="btn btn-main" to={screenOf('jygl/cfxq').path} search={{ write: '1' }}>
      {t('verb.writePrescription')}
    </Link>
  )
}

/** The next step stands first; what the state does not allow is grey and says why. */
export function PrescriptionVerbs({ detail }: { detail: Detail }) {
  const t = useText('pharmacy')
  const navigate = useNavigate()
  const { id, version, code, state, isOwn, amendedTo, warnings } = detail
  const common = { t, vars: { code }, changes: shownPrescriptions }
  const isOpen = prescriptionState.can(state, 'submit')
  // Only where there are warnings is there anything to give a reason for.
  const whyWarned = (name: string) => (warnings.length > 0 ? { names: [name], needed: [name] } : { names: [] })
  return (
    <>
      {prescriptionState.is(state, 'submitted') && <Review detail={detail} whyWarned={whyWarned('reason')} />}
      {isOwn && isOpen && (
        <>
          <CommandButton
            {...common}
            endpoint={submitPrescription}
            verb="submitPrescription"
            target={{ id, version }}
            {...whyWarned('warningReason')}
            tone="main"
          />
          {can(writePrescription.access) && (
            <ScreenLink screen="jygl/cfxq" search={{ id: String(id), write: '1' }}>
              {t('verb.editPrescription')}
            </ScreenLink>
          )}
        </>
      )}
      {isOwn && !isOpen && (
        <CommandButton
          {...common}
          endpoint={amendPrescription}
          verb="amendPrescription"
          target={{ id }}
          isEnabled={amendedTo === null}
          onDone={({ id: copyId }) =>
            void navigate({ to: screenOf('jygl/cfxq').path, search: { id: String(copyId), write: '1' } })
          }
        />
      )}
      <CommandButton
        {...common}
        endpoint={cancelPrescription}
        verb="cancelPrescription"
        target={{ id }}
        tone="danger"
        isEnabled={prescriptionState.can(state, 'cancel')}
      />
    </>
  )
}

/** By a pharmacist, of what was submitted; who may not says why. */
function Review({ detail, whyWarned }: { detail: Detail; whyWarned: { names: string[]; needed?: string[] } }) {
  const t = useText('pharmacy')
  const { id, code, contentHash, hindrance } = detail
  const common = { t, vars: { code }, changes: shownPrescriptions, target: { id, contentHash } }
  return (
    <>
      <CommandButton
        {...common}
        {...whyWarned}
        endpoint={approvePrescription}
        verb="approvePrescription"
        tone="main"
        isEnabled={hindrance === null}
      />
      <CommandButton
        {...common}
        endpoint={rejectPrescription}
        verb="rejectPrescription"
        tone="danger"
        isEnabled={hindrance === null}
      />
      {hindrance && can(approvePrescription.access) && <small>{t(`hindrance.${hindrance}`)}</small>}
    </>
  )
}
