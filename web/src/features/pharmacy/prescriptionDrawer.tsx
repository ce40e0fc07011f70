import { fillItemState } from '@aisle/contract/pharmacy/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getPrescription, prescriptionFields } from '@aisle/contract/pharmacy/prescription'
import { StateCell } from '../../admin/fields/state'
import { ScreenLink } from '../../admin/fields/ref'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import { PrescriptionBody } from './prescriptionBody'
import { PrescriptionVerbs } from './prescriptionVerbs'
import { RevealPatient } from './revealPatient'

export type Detail = OutputOf<typeof getPrescription>

export function PrescriptionDrawer({ id }: DrawerRow) {
  const t = useText('pharmacy')
  const result = useEndpoint(getPrescription, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ code }) => code}
      head={(detail) => <PrescriptionTags detail={detail} />}
      actions={(detail) => (
        <>
          <PrescriptionVerbs detail={detail} />
          <RevealPatient detail={detail} />
        </>
      )}
    >
      {(detail) => (
        <>
          <PrescriptionBody detail={detail} />
          <p>
            <ScreenLink screen="jygl/cfxq" search={{ id: String(detail.id) }}>
              {t('page.open')}
            </ScreenLink>
          </p>
        </>
      )}
    </RowDrawer>
  )
}

export function PrescriptionTags({ detail }: { detail: Detail }) {
  const t = useText('pharmacy')
  const { state, warnings, uses } = detail
  const came = cameOf(detail)
  return (
    <div className="tags">
      <StateCell value={state} field={prescriptionFields.state} t={t} />
      {warnings.length > 0 && <Tag tone="warn" word={`${t('field.warningCount')} ${warnings.length}`} />}
      <Tag tone={uses > 1 ? 'busy' : 'idle'} word={t(`repeat.${uses > 1 ? 'repeat' : 'once'}`)} />
      <Tag tone={fillTones[came]} word={t(`fill.${came}`)} />
    </div>
  )
}

type Came = 'excess' | 'doubt' | 'some' | 'none'
const fillTones: Record<Came, Tone> = { excess: 'bad', doubt: 'warn', some: 'good', none: 'idle' }

/** What came out of machines on it, the worst first. */
function cameOf({ lines, fills, fillCount }: Detail): Came {
  if (lines.some(({ excess }) => excess > 0)) return 'excess'
  if (fills.some(({ items }) => items.some(({ state }) => fillItemState.is(state, 'unknown')))) return 'doubt'
  return fillCount > 0 ? 'some' : 'none'
}
