import { summariseClaims } from '@aisle/contract/lottery/claim'
import { ScreenLink } from '../../admin/fields/ref'
import { countText } from '../../admin/fields/number'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

const figures = [
  { name: 'pending', tone: 'warn' },
  { name: 'passed', tone: 'good' },
  { name: 'rejected', tone: 'idle' },
] as const

/** How the claims stand; what is owed and claimed by nobody leads to its plays. */
export function ClaimSummary({ address }: { address: ListAddress }) {
  const t = useText('lottery')
  const { data } = useEndpoint(summariseClaims, {}, { errors: 'silent' })
  return (
    <>
      <Tally
        label={t('summary.claims')}
        address={address}
        figures={figures.map(({ name, tone }) => ({
          name,
          tone,
          word: t(`summary.${name}`),
          count: data?.[name],
          query: { state: name },
        }))}
      />
      {data && data.owed > 0 && (
        <p className="quiet">
          <ScreenLink screen="jygl/hgxq" search={{ prizeState: 'owed' }}>
            {`${t('summary.owed')} ${countText(data.owed)}`}
          </ScreenLink>
        </p>
      )}
    </>
  )
}
