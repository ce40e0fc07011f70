import { licenceStates, summariseLicences } from '@aisle/contract/merchant/licence'
import { hasSameConditions } from '../../admin/address'
import { countText } from '../../admin/fields/number'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import './paperwork.css'

const tones = { expired: 'bad', expiring: 'warn', valid: 'good', revoked: 'idle' } as const

/** How many are in each state; each figure is a filter. */
export function LicenceSummary({ address }: { address: ListAddress }) {
  const t = useText('merchant')
  const { data } = useEndpoint(summariseLicences, {}, { errors: 'silent' })
  return (
    <div className="tally" role="group" aria-label={t('licence.summary')}>
      {licenceStates.map((state) => (
        <button
          key={state}
          type="button"
          className={`tally-figure tone-${data?.[state] ? tones[state] : 'idle'}`}
          aria-pressed={hasSameConditions({ state }, address.query)}
          onClick={() => address.show({ state })}
        >
          <span>{t(`licenceState.${state}`)}</span>
          <strong>{data ? countText(data[state]) : '–'}</strong>
        </button>
      ))}
    </div>
  )
}
