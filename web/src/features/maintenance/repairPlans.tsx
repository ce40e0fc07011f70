import {
  addRepairPlan,
  editRepairPlan,
  listRepairPlans,
  removeRepairPlan,
  type RepairPlan,
  repairPlanFields,
} from '@aisle/contract/maintenance/plan'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { businessDay } from '../../ui/days'
import { countText } from '../../admin/fields/number'
import { MachineInput } from '../../shelf/machineInput'
import { useNow } from '../../live/clock'
import { useEndpoint } from '../../live/query'
import { Dialog } from '../../ui/feedback/dialog'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import styles from './maintenance.module.css'

const inputs = { machineCode: MachineInput }

/** Plans are made once and then only work: they stand behind a button, and their orders in the list. */
export function PlansButton() {
  const t = useText('maintenance')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {t('plans.open')}
      </button>
      {isOpen && <Plans onClose={() => setOpen(false)} />}
    </>
  )
}

function Plans({ onClose }: { onClose: () => void }) {
  const t = useText('maintenance')
  const kernel = useText('kernel')
  const { data } = useEndpoint(listRepairPlans, {})
  const nowMs = useNow(60_000)
  const plans = data?.items ?? []
  return (
    <Dialog
      title={t('plans.open')}
      isWide
      onSubmit={onClose}
      onCancel={onClose}
      actions={
        <>
          <CommandButton
            endpoint={addRepairPlan}
            verb="addRepairPlan"
            t={t}
            fields={repairPlanFields}
            inputs={inputs}
            initial={{ since: businessDay(nowMs) }}
            changes={[listRepairPlans]}
          />
          <button type="submit" className="btn btn-main">
            {kernel('action.close')}
          </button>
        </>
      }
    >
      {data && plans.length === 0 && <p className="quiet">{t('plans.empty')}</p>}
      {data && data.total > plans.length && (
        <p className="quiet">{t('plans.shown', { total: countText(data.total), shown: plans.length })}</p>
      )}
      <ul className={styles.workPlans}>
        {plans.map((plan) => (
          <Plan key={plan.id} plan={plan} />
        ))}
      </ul>
    </Dialog>
  )
}

function Plan({ plan }: { plan: RepairPlan }) {
  const t = useText('maintenance')
  const { id, version, name, machineCode, machineName, everyDays, everyOrders, since, dueOn, ordersLeft, isDue } = plan
  const common = { t, vars: { name }, changes: [listRepairPlans] }
  return (
    <li>
      <span className={styles.workPlan}>
        <strong>{name}</strong>
        <span>{`${machineCode} ${machineName}`}</span>
        {everyDays !== null && (
          <small>{t('plans.every.days', { count: countText(everyDays), day: dueOn ?? '–' })}</small>
        )}
        {everyOrders !== null && (
          <small>
            {t('plans.every.orders', { count: countText(everyOrders), left: countText(Math.max(0, ordersLeft ?? 0)) })}
          </small>
        )}
      </span>
      {isDue && <Tag tone="warn" word={t('plans.due')} />}
      <span className={styles.workPlanVerbs}>
        <CommandButton
          {...common}
          endpoint={editRepairPlan}
          verb="editRepairPlan"
          target={{ id, version }}
          fields={repairPlanFields}
          initial={{ name, everyDays, everyOrders, since }}
        />
        <CommandButton {...common} endpoint={removeRepairPlan} verb="removeRepairPlan" tone="danger" target={{ id }} />
      </span>
    </li>
  )
}
