import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/purchase/plan'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { controlProps, type InputProps } from '../../admin/form/input'
import { yuanText } from '../../ui/amount'
import { useText } from '../../ui/text'
import { WarehouseInput } from './inputs'
import { shownOrders } from './orderVerbs'

export type PlanDetail = OutputOf<typeof contract.getPurchasePlan>
export type PlanLineDetail = OutputOf<typeof contract.getPurchasePlanLine>
const shown = [
  contract.listPurchasePlans,
  contract.getPurchasePlan,
  contract.listPurchasePlanLines,
  contract.getPurchasePlanLine,
  ...shownOrders,
]

export function AddPlan() {
  const t = useText('purchase')
  return (
    <CommandButton
      t={t}
      endpoint={contract.addPurchasePlan}
      verb="addPurchasePlan"
      tone="main"
      names={['warehouseId', 'horizonDays', 'coverDays', 'note']}
      initial={{ horizonDays: 14, coverDays: 3 }}
      inputs={{ warehouseId: WarehouseInput }}
      changes={shown}
    />
  )
}

export function PlanVerbs({ plan }: { plan: PlanDetail }) {
  const t = useText('purchase')
  const { id, no, state, toOrder, suppliers } = plan
  const vars = { no, count: countText(toOrder), suppliers: countText(suppliers.length) }
  const common = { t, target: { id }, vars, changes: shown }
  return (
    <>
      {contract.purchasePlanState.can(state, 'order') && (
        <CommandButton
          {...common}
          endpoint={contract.orderPurchasePlan}
          verb="orderPurchasePlan"
          tone="main"
          isEnabled={toOrder > 0}
        />
      )}
      {contract.purchasePlanState.can(state, 'discard') && (
        <CommandButton {...common} endpoint={contract.discardPurchasePlan} verb="discardPurchasePlan" tone="danger" />
      )}
    </>
  )
}

export function ChangeLine({ line }: { line: PlanLineDetail }) {
  const t = useText('purchase')
  const { id, version, productName, planState, supplierProductId, packs, options } = line
  if (!contract.purchasePlanState.can(planState, 'order')) return null
  return (
    <CommandButton
      t={t}
      endpoint={contract.changePurchasePlanLine}
      verb="changePurchasePlanLine"
      target={{ id, version }}
      vars={{ name: productName }}
      names={['supplierProductId', 'packs']}
      initial={{ supplierProductId, packs, options }}
      inputs={{ supplierProductId: DelivererInput }}
      changes={shown}
    />
  )
}

/** Who delivers the product, in which packs at which price; who can't now says why. */
function DelivererInput(props: InputProps) {
  const { value, values, onChange, t } = props
  const options = Array.isArray(values.options) ? (values.options as PlanLineDetail['options']) : []
  return (
    <select
      {...controlProps(props)}
      value={typeof value === 'number' ? String(value) : ''}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">{t.any('plan.nobody')}</option>
      {options.map(({ supplierProductId, supplierName, packUnits, packFen, hindrance }) => (
        <option
          key={supplierProductId}
          value={supplierProductId}
          disabled={hindrance !== null && supplierProductId !== value}
        >
          {[
            supplierName,
            t.any('order.packOf', { units: countText(packUnits) }),
            packFen !== null && `¥${yuanText(packFen)}`,
            hindrance && t.any(`planHindrance.${hindrance}`),
          ]
            .filter(Boolean)
            .join(' · ')}
        </option>
      ))}
    </select>
  )
}
