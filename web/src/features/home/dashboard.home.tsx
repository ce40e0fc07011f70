import { summariseAlarms } from '@aisle/contract/alarm/alarm'
import { summariseMachines } from '@aisle/contract/fleet/machine'
import { getArrangement, getSalesNow, listRunningOut, type Panel, panels } from '@aisle/contract/home/dashboard'
import type { Access } from '@aisle/contract/kernel/endpoint'
import { summariseRepairOrders } from '@aisle/contract/maintenance/repairOrder'
import { summarisePrescriptions } from '@aisle/contract/pharmacy/prescription'
import { getPendingReviews } from '@aisle/contract/notice/bell'
import { listPayments } from '@aisle/contract/report/payments'
import { rankMachines, rankProducts, rankRunners } from '@aisle/contract/report/ranking'
import type { ComponentType } from 'react'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'
import { BrokenPanel } from './brokenPanel'
import { PaymentsPanel, TopMachinesPanel, TopOperatorsPanel, TopProductsPanel } from './chartPanels'
import { MachinesPanel, PrescriptionsPanel, WaitingPanel, WorkPanel } from './countPanels'
import { Part } from '../../ui/part'
import styles from './home.module.css'
import { REFRESH_MS } from './refresh'
import { rowsOf } from './rows.rules'
import { SalesPanel } from './salesPanel'
import { StockPanel } from './stockPanel'

/** Each shows itself to who may see what it counts. */
const parts: Record<Panel, { access: Access; Panel: ComponentType }> = {
  sales: { access: getSalesNow.access, Panel: SalesPanel },
  machines: { access: summariseMachines.access, Panel: MachinesPanel },
  broken: { access: summariseAlarms.access, Panel: BrokenPanel },
  runningOut: { access: listRunningOut.access, Panel: StockPanel },
  waiting: { access: getPendingReviews.access, Panel: WaitingPanel },
  work: { access: summariseRepairOrders.access, Panel: WorkPanel },
  prescriptions: { access: summarisePrescriptions.access, Panel: PrescriptionsPanel },
  payments: { access: listPayments.access, Panel: PaymentsPanel },
  topProducts: { access: rankProducts.access, Panel: TopProductsPanel },
  topMachines: { access: rankMachines.access, Panel: TopMachinesPanel },
  topOperators: { access: rankRunners.access, Panel: TopOperatorsPanel },
}

/** The first look of the day, in the order of what the person is here for; each figure leads to what is behind it. */
export default function Dashboard() {
  const title = useText('screens')('home/dashboard')
  const text = useText('home')
  const { data, isError } = useEndpoint(getArrangement, {}, { errors: 'silent', refetchInterval: REFRESH_MS })
  const order = (data?.panels ?? (isError ? panels : [])).filter((name) => can(parts[name].access))
  return (
    <div className={styles.dash}>
      <h1 className="hidden-text">{title}</h1>
      {data?.filling && (
        <p className={styles.filling} role="status">
          {text('filling', data.filling)}
        </p>
      )}
      {rowsOf(order).map((columns) => (
        <div key={columns[0]?.[0]} className={styles.row}>
          {columns.map((column) => (
            <div key={column[0]} className={styles.column}>
              {column.map((name) => {
                const { Panel } = parts[name]
                return (
                  <Part key={name}>
                    <Panel />
                  </Part>
                )
              })}
            </div>
          ))}
        </div>
      ))}
      <Hints />
    </div>
  )
}
