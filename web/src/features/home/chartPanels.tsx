import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { listPayments, paymentRowFields } from '@aisle/contract/report/payments'
import {
  machineRankingFields,
  productRankingFields,
  rankMachines,
  rankProducts,
  rankRunners,
  runnerRankingFields,
} from '@aisle/contract/report/ranking'
import { screenOf } from '@aisle/contract/screens'
import { countText } from '../../admin/fields/number'
import { ToRows } from '../../admin/fields/rows'
import { useLive } from '../../admin/useList'
import { ShareBars } from '../../ui/chart/shareBars'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { useEndpoint } from '../../live/query'
import { PanelCard } from './panelCard'

const shown = {
  payments: { list: listPayments, count: 'orders', field: paymentRowFields.name, screen: 'home/syzfqq' },
  topProducts: { list: rankProducts, count: 'quantity', field: productRankingFields.name, screen: 'home/syspxlpm' },
  topMachines: { list: rankMachines, count: 'orders', field: machineRankingFields.name, screen: 'home/syjqpm' },
  topOperators: { list: rankRunners, count: 'orders', field: runnerRankingFields.name, screen: 'home/syyyxlpm' },
} as const
type Shown = keyof typeof shown

const MOST = 5

/** The first rows of a report as it opens, so that what is read here is what stands there. */
function ChartPanel({ of }: { of: Shown }) {
  const t = useText('home')
  const screens = useText('screens')
  const words = useText('report')
  const { list, count, field, screen } = shown[of]
  const found = useEndpoint(list as typeof rankProducts, { pageSize: MOST } as CallOf<typeof rankProducts>, {
    errors: 'silent',
  })
  useLive({ topic: 'orders', also: [] }, [list])
  const title = screens(screen)
  // What sold nothing has no bar to be compared by.
  const rows = (found.data?.items ?? []).filter(({ paidFen }) => paidFen > 0)
  const countOf = (row: Record<string, unknown>) => countText(Number(row[count]))
  return (
    <PanelCard title={title} more={{ path: screenOf(screen).path, word: t('chart.open') }} found={found}>
      {rows.length === 0 && <p className="quiet">{t('chart.none')}</p>}
      <ShareBars
        label={title}
        shares={rows.map((row) => ({
          key: String(row.id),
          value: row.paidFen,
          name: (
            <ToRows value={row.name} field={field} row={row} t={words}>
              <span>{row.name}</span>
            </ToRows>
          ),
          text: <Money fen={row.paidFen} />,
          note: `${words(`field.${count}`)} ${countOf(row)}`,
        }))}
      />
    </PanelCard>
  )
}

export const PaymentsPanel = () => <ChartPanel of="payments" />
export const TopProductsPanel = () => <ChartPanel of="topProducts" />
export const TopMachinesPanel = () => <ChartPanel of="topMachines" />
export const TopOperatorsPanel = () => <ChartPanel of="topOperators" />
