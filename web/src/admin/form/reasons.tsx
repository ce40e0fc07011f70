import { listDictionaryOptions } from '@aisle/contract/system/dictionary'
import { useEndpoint } from '../../live/query'
import { Usual } from '../../ui/control/usual'

/** Calls whose reasons a merchant words itself, each with the list that holds them. */
const lists: Readonly<Record<string, string>> = {
  'refund.applyRefund': 'refundReason',
  'device.stopSale': 'stopReason',
}

/** Reasons to pick from: those of the dictionary first, where there is one for the call. */
export function Reasons(props: { of: string; value: unknown; onPick: (text: string) => void }) {
  const type = lists[props.of]
  const asked = { type: type ?? '' }
  const stale = { errors: 'silent', staleTime: 60_000, enabled: type !== undefined } as const
  const { data } = useEndpoint(listDictionaryOptions, asked, stale)
  return <Usual {...props} first={data?.items.map(({ word }) => word) ?? []} />
}
