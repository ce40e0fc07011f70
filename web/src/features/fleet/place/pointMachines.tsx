import { bindMachines } from '@aisle/contract/fleet/machineBatch'
import { listMachines, type Machine, machineFields } from '@aisle/contract/fleet/machine'
import { getPoint, listPoints, type PointDetail } from '@aisle/contract/fleet/point'
import { useState } from 'react'
import { CommandButton } from '../../../admin/commandButton'
import { Failure } from '../../../admin/failure'
import { MachineLink } from '../../../admin/fields/ref'
import { StateCell, StatesCell } from '../../../admin/fields/state'
import { useEndpoint } from '../../../live/query'
import { can } from '../../../live/session'
import { Money } from '../../../ui/money'
import { toast } from '../../../ui/feedback/notice'
import { ShortList } from '../../../ui/shortList'
import { useText } from '../../../ui/text'
import { FreePointInput } from '../machine/pickers'
import { OddOperation } from './oddOperation'

const SHOWN = 100
const changed = [listMachines, getPoint, listPoints] as const

/** The machines of a point with their state, worst first; those that are ticked can go to another one. */
export function PointMachines({ point: { id } }: { point: PointDetail }) {
  const t = useText('fleet')
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const input = { pointId: id, pageSize: SHOWN }
  const { data, error, refetch } = useEndpoint(listMachines, input, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  const { items } = data
  if (items.length === 0) return <p className="quiet">{t('point.machines.none')}</p>
  const mayMove = can(bindMachines.access)
  const chosen = items.filter((each) => ticked.has(each.id)).map((each) => each.id)
  const tick = (one: number, isOn: boolean) => {
    const next = new Set(ticked)
    if (isOn) next.add(one)
    else next.delete(one)
    setTicked(next)
  }
  const moved = (outcomes: readonly { outcome: string }[]) => {
    const left = outcomes.find(({ outcome }) => outcome !== 'done' && outcome !== 'same')
    setTicked(new Set())
    if (left) toast('bad', t.any(`outcome.${left.outcome}`))
    else toast('good', t('verb.movePoint.done'))
  }
  return (
    <>
      <Machines items={items} mayMove={mayMove} ticked={ticked} tick={tick} />
      {data.nextCursor && <p className="quiet">{t('point.machines.more', { count: SHOWN })}</p>}
      {mayMove && (
        <div>
          <CommandButton
            endpoint={bindMachines}
            verb="movePoint"
            t={t}
            target={{ ids: chosen }}
            names={['pointId']}
            inputs={{ pointId: FreePointInput }}
            vars={{ count: chosen.length }}
            isEnabled={chosen.length > 0}
            changes={changed}
            onDone={({ outcomes }) => moved(outcomes)}
          />
        </div>
      )}
    </>
  )
}

type MachinesProps = {
  items: readonly Machine[]
  mayMove: boolean
  ticked: ReadonlySet<number>
  tick: (id: number, isOn: boolean) => void
}

function Machines({ items, mayMove, ticked, tick }: MachinesProps) {
  const t = useText('fleet')
  return (
    <ShortList
      rows={items}
      says={({ id, code, name, todayFen, todayCount }) => (
        <>
          {mayMove && (
            <input
              type="checkbox"
              aria-label={`${code} ${name}`}
              checked={ticked.has(id)}
              onChange={({ target }) => tick(id, target.checked)}
            />
          )}{' '}
          <MachineLink code={code} /> {name}{' '}
          <small className="quiet">
            <Money fen={todayFen} /> · {t('point.today', { count: todayCount })}
          </small>
        </>
      )}
      ends={({ connection, operation, conditions }) => (
        <span className="tags">
          <StateCell value={connection} field={machineFields.connection} t={t} />
          <OddOperation value={operation} t={t} />
          {conditions.length > 0 && <StatesCell value={conditions} field={machineFields.conditions} t={t} />}
        </span>
      )}
    />
  )
}
