import {
  addCountLine,
  cancelCount,
  countState,
  explainLines,
  finishCount,
  getCount,
  listCounts,
  postCount,
  recountLines,
} from '@aisle/contract/counting/count'
import { CommandButton } from '../../admin/commandButton'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import type { CountDetail } from './countDrawer'

export const shownCounts = [listCounts, getCount] as const
const fields = { reason: { kind: 'state', words: 'differenceReason', tones: {} } } as const

/** The next step stands first; nothing is posted before each difference has its reason and its cost was seen. */
export function CountVerbs({ count }: { count: CountDetail }) {
  const t = useText('counting')
  const { id, state, no, machineCode, items } = count
  const can = (verb: keyof typeof countState.moves) => countState.can(state, verb)
  const common = { t, target: { id }, vars: { no, machineCode }, changes: shownCounts }
  const off = items.filter(({ difference }) => difference !== null && difference !== 0)
  const silent = off.filter(({ reason }) => reason === null)
  const costFen = items.reduce((sum, line) => sum + (line.costFen ?? 0), 0)
  const isCounted = items.some(({ counted }) => counted !== null)
  const isSecondDone = items.every(({ needsSecond, second }) => !needsSecond || second !== null)
  const isReady = countState.is(state, 'recounting') ? isSecondDone : isCounted
  return (
    <>
      {can('post') && (
        <>
          <CommandButton
            {...common}
            endpoint={postCount}
            verb="postCount"
            target={{ id, costFen }}
            vars={{ no, lines: off.length }}
            tone="main"
            isEnabled={silent.length === 0}
          />
          {silent.length > 0 && (
            <CommandButton
              {...common}
              endpoint={explainLines}
              verb="explainAll"
              target={{ id, lineIds: silent.map((line) => line.id) }}
              names={['reason', 'note']}
              fields={fields}
              initial={{ reason: 'miscount' }}
            />
          )}
          {off.length > 0 && (
            <CommandButton
              {...common}
              endpoint={recountLines}
              verb="recountLines"
              target={{ id, lineIds: off.map((line) => line.id) }}
            />
          )}
          <span className="quiet">
            {t('count.cost')} <Money fen={costFen} />
          </span>
        </>
      )}
      {can('finish') && (
        <>
          <CommandButton {...common} endpoint={finishCount} verb="finishCount" isEnabled={isReady} />
          <CommandButton
            {...common}
            endpoint={addCountLine}
            verb="addCountLine"
            names={['slotCode', 'batch', 'productCode']}
          />
        </>
      )}
      {can('cancel') && <CommandButton {...common} endpoint={cancelCount} verb="cancelCount" tone="danger" />}
    </>
  )
}
