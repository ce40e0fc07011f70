import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  acknowledgeTarget,
  giveUpTarget,
  listRecallTargets,
  pullTarget,
  recallState,
  targetFields,
  targetState,
} from '@aisle/contract/medicine/recall'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { MachineLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import lined from '../../shelf/lines.module.css'
import { useText } from '../../ui/text'
import type { RecallDetail } from './recallDrawer'
import { Listed } from './listed'
import { shownRecalls } from './recallVerbs'
import styles from './batch.module.css'

type Target = OutputOf<typeof listRecallTargets>['items'][number]

/** What is still open stands first, each with its next step. */
export function RecallTargets({ recall }: { recall: RecallDetail }) {
  const t = useText('medicine')
  const isOver = !recallState.is(recall.state, 'active')
  return (
    <Listed list={listRecallTargets} query={{ recallId: recall.id }} none={t('targets.none')} search="q">
      {(targets) => (
        <ul className={lined.lines}>
          {targets.map((target) => (
            <li key={target.id}>
              <PlaceOf target={target} />
              {!isOver && <TargetVerbs target={target} />}
            </li>
          ))}
        </ul>
      )}
    </Listed>
  )
}

function PlaceOf({ target }: { target: Target }) {
  const t = useText('medicine')
  const { kind, machineCode, slotCode, placeName, merchantName, book, pulled, state, note } = target
  const where = [t(`placeKind.${kind}`), placeName, merchantName, note].filter(Boolean).join(' · ')
  return (
    <>
      <span className={styles.place}>
        <strong>
          {machineCode === null ? placeName || t(`placeKind.${kind}`) : <MachineLink code={machineCode} />} {slotCode}
        </strong>
        <small className="quiet">{where}</small>
      </span>
      <span className={lined.count}>
        {pulled === null ? countText(book) : `${countText(pulled)} / ${countText(book)}`}
      </span>
      <StateCell value={state} field={targetFields.state} t={t} />
    </>
  )
}

function TargetVerbs({ target }: { target: Target }) {
  const t = useText('medicine')
  const { id, machineCode, slotCode, placeName, kind, state, book } = target
  const name = machineCode === null ? placeName || t(`placeKind.${kind}`) : `${machineCode} ${slotCode}`
  const common = { t, target: { id }, vars: { name, book }, changes: shownRecalls }
  const can = (verb: keyof typeof targetState.moves) => targetState.can(state, verb)
  if (!can('pull')) return null
  return (
    <>
      <CommandButton
        {...common}
        endpoint={pullTarget}
        verb="pullTarget"
        fields={{ pulled: { kind: 'count' } }}
        initial={{ pulled: book }}
      />
      {can('acknowledge') && <CommandButton {...common} endpoint={acknowledgeTarget} verb="acknowledgeTarget" />}
      {can('giveUp') && <CommandButton {...common} endpoint={giveUpTarget} verb="giveUpTarget" tone="danger" />}
    </>
  )
}
