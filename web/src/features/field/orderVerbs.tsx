import * as contract from '@aisle/contract/field/replenishmentOrder'
import { listRoutes } from '@aisle/contract/fleet/route'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getOutboundOrder, listOutboundOrders, listReplenishers, outboundState } from '@aisle/contract/stock/outbound'
import { listWarehouses } from '@aisle/contract/stock/warehouse'
import { CommandButton } from '../../admin/commandButton'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { refInput } from '../../admin/form/refInput'
import { LineInput } from '../../shelf/lineInputs'
import styles from '../../shelf/lines.module.css'
import { machinesInput } from '../../shelf/severalInputs'
import { can as mayDo } from '../../live/session'
import { useText } from '../../ui/text'

export type OrderDetail = OutputOf<typeof contract.getReplenishmentOrder>
const shown = [contract.listReplenishmentOrders, contract.getReplenishmentOrder, listOutboundOrders, getOutboundOrder]

const WarehouseInput = refInput({
  list: listWarehouses,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
})
const ReplenisherInput = refInput({
  list: listReplenishers,
  optionOf: ({ id, name, account }) => ({ value: id, word: name, note: account }),
})
const RouteInput = refInput({
  list: listRoutes,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
})
const inputs = {
  warehouseId: WarehouseInput,
  replenisherId: ReplenisherInput,
  routeId: RouteInput,
  machineIds: machinesInput(),
}

/** Whoever drives opens the application of the phone here; it may be kept there. */
export function OrderActions() {
  const t = useText('field')
  return (
    <>
      {mayDo('visit.read') && (
        <a className="btn" href="/field">
          {t('phone.openApp')}
        </a>
      )}
      <AddOrder />
    </>
  )
}

function AddOrder() {
  const t = useText('field')
  return (
    <CommandButton
      t={t}
      endpoint={contract.addReplenishmentOrder}
      verb="addReplenishmentOrder"
      tone="main"
      names={['routeId', 'machineIds', 'replenisherId', 'warehouseId', 'coverDays', 'note']}
      initial={{ coverDays: 3 }}
      inputs={inputs}
      changes={shown}
    />
  )
}

/** The next step stands first; what can't be done yet is grey and says why. */
export function OrderVerbs({ order }: { order: OrderDetail }) {
  const t = useText('field')
  const { id, no, state, replenisherName, outbound } = order
  const common = { t, target: { id }, vars: { no, name: replenisherName }, changes: shown }
  const can = (verb: keyof typeof contract.replenishmentState.moves) => contract.replenishmentState.can(state, verb)
  const isOut = outboundState.is(outbound?.state, 'out')
  // All that it brings is carried already: nothing leaves a warehouse for it.
  const isReady = outbound === null || isOut
  return (
    <>
      {can('release') && (
        <CommandButton
          {...common}
          endpoint={contract.releaseReplenishmentOrder}
          verb="releaseReplenishmentOrder"
          tone="main"
        />
      )}
      {can('load') && (
        <CommandButton
          {...common}
          endpoint={contract.loadReplenishmentOrder}
          verb="loadReplenishmentOrder"
          tone="main"
        />
      )}
      {can('depart') && (
        <CommandButton
          {...common}
          endpoint={contract.departReplenishmentOrder}
          verb="departReplenishmentOrder"
          tone="main"
          isEnabled={isReady}
        />
      )}
      {can('finish') && (
        <CommandButton
          {...common}
          endpoint={contract.finishReplenishmentOrder}
          verb="finishReplenishmentOrder"
          tone="main"
        />
      )}
      {can('release') && <EditOrder order={order} />}
      {can('revise') && (
        <CommandButton
          {...common}
          endpoint={contract.reviseReplenishmentOrder}
          verb="reviseReplenishmentOrder"
          isEnabled={!isOut}
        />
      )}
      {can('cancel') && (
        <CommandButton
          {...common}
          endpoint={contract.cancelReplenishmentOrder}
          verb="cancelReplenishmentOrder"
          tone="danger"
          isEnabled={!isOut}
        />
      )}
    </>
  )
}

function EditOrder({ order }: { order: OrderDetail }) {
  const t = useText('field')
  const { id, version, no, stops } = order
  const lines = stops.flatMap((stop) => stop.lines.map(({ slotId, bring }) => ({ slotId, bring })))
  return (
    <CommandButton
      t={t}
      endpoint={contract.editReplenishmentOrder}
      verb="editReplenishmentOrder"
      target={{ id, version }}
      vars={{ no }}
      initial={{ stops, lines }}
      inputs={{ lines: BringInput }}
      changes={shown}
    />
  )
}

type Said = { slotId: number; bring: unknown }

/** How many are brought to each slot; none leaves it out. */
const BringInput = groupInput(function BringInput({ id, value, values, onChange }: InputProps) {
  const t = useText('field')
  const stops = Array.isArray(values.stops) ? (values.stops as OrderDetail['stops']) : []
  const said = Array.isArray(value) ? (value as Said[]) : []
  return (
    <div id={id} className={styles.rows}>
      {stops.flatMap((stop) =>
        stop.lines.map((line) => (
          <div key={line.slotId} className={styles.row}>
            <span className={styles.what}>
              {`${stop.machineCode} ${line.slotCode} ${line.productName}`}
              <small className="quiet">
                {t('order.there', { there: String(line.there), capacity: String(line.capacity) })}
              </small>
            </span>
            <LineInput
              kind="count"
              label={t('field.bring')}
              name={`${t('field.bring')} ${stop.machineCode} ${line.slotCode}`}
              value={said.find(({ slotId }) => slotId === line.slotId)?.bring}
              onChange={(bring) =>
                onChange(said.map((each) => (each.slotId === line.slotId ? { ...each, bring } : each)))
              }
            />
          </div>
        )),
      )}
    </div>
  )
})
