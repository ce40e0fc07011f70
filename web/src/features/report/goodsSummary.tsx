import { crossGroups, medicineGroups, productGroups } from '@aisle/contract/report/goods'
import type { ListAddress } from '../../admin/useAddress'
import { useText } from '../../ui/text'
import { ReportHead } from './reportHead'

type Props = { address: ListAddress }

export const ProductSummary = ({ address }: Props) => (
  <ReportHead address={address} groups={productGroups} note={useText('report')('margin.help')} />
)

export const MedicineSummary = ({ address }: Props) => (
  <ReportHead address={address} groups={medicineGroups} top="quantity" note={useText('report')('out.help')} />
)

export const CrossSummary = ({ address }: Props) => (
  <ReportHead address={address} groups={crossGroups} isCompared={false} note={useText('report')('stock.help')} />
)
