import type { ExpiryRow } from '@aisle/contract/medicine/expiry'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

/** What it costs, before anybody says yes. */
export function WriteOffCost({ rows }: { rows: readonly ExpiryRow[] }) {
  const t = useText('medicine')
  const costFen = rows.reduce((sum, row) => sum + row.costFen, 0)
  const pieces = rows.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <p>
      {t('expiry.cost', { count: pieces })} <Money fen={costFen} />
    </p>
  )
}
