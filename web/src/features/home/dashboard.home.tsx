import { summariseAlarms } from '@aisle/contract/alarm/alarm'
import { summariseMachines } from '@aisle/contract/fleet/machine'
import { getArrangement, getSalesNow, listRunningOut, type Panel, panels } from '@aisle/contract/home/dashboard'
import type { Access } from '@aisle/contract/kernel/endpoint'
import { summariseRepairOrders } from '@aisle/contract/maintenance/repairOrder'
import { getPendingReviews } from '@aisle/contract/notice/bell'
import type { ComponentType } from 'react'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Hints } from '../../ui/hint'
import { useText } from '../../ui/text'
import { BrokenPanel } from './broken-panel'
import { MachinesPanel, WaitingPanel, WorkPanel } from './count-panels'
import './home.css'
import { rowsOf } from './rows.rules'
import { SalesPanel } from './sales-panel'
import { StockPanel } from './stock-panel'

/** Each shows itself to who may see what it counts. */
const parts: Record<Panel, { access: Access; Panel: ComponentType }> = {
  sales: { access: getSalesNow.access, Panel: SalesPanel },
  machines: { access: summariseMachines.access, Panel: MachinesPanel },
  broken: { access: summariseAlarms.access, Panel: BrokenPanel },
  runningOut: { access: listRunningOut.access, Panel: StockPanel },
  waiting: { access: getPendingReviews.access, Panel: WaitingPanel },
  work: { access: summariseRepairOrders.access, Panel: WorkPanel },
}

/** The first look of the day, in the order of what the person is here for; each figure leads to what is behind it. */
export default function Dashboard() {
  const title = useText('screens')('home/dashboard')
  const { data, isError } = useEndpoint(getArrangement, {}, { errors: 'silent', staleTime: 300_000 })
  const order = (data?.panels ?? (isError ? panels : [])).filter((name) => can(parts[name].access))
  return (
    <div className="dash">
      <h1 className="hidden-text">{title}</h1>
      {rowsOf(order).map((columns) => (
        <div key={columns[0]?.[0]} className="dash-row">
          {columns.map((column) => (
            <div key={column[0]} className="dash-column">
              {column.map((name) => {
                const { Panel } = parts[name]
                return <Panel key={name} />
              })}
            </div>
          ))}
        </div>
      ))}
      <Hints />
    </div>
  )
}
