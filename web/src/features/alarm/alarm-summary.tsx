import { summariseAlarms } from '@aisle/contract/alarm/alarm'
import { alarmLevels } from '@aisle/contract/alarm/states'
import { hasSameConditions } from '../../admin/address'
import { countText } from '../../admin/fields/number'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import './alarm.css'

const tones = { critical: 'bad', warning: 'warn', notice: 'idle' } as const

/** How much is wrong, each figure a filter; and what it costs, with how that is counted. */
export function AlarmSummary({ address }: { address: ListAddress }) {
  const t = useText('alarm')
  const { data } = useEndpoint(summariseAlarms, {}, { errors: 'silent' })
  const figure = (key: string, word: string, count: number | undefined, conditions: Record<string, string>) => (
    <button
      key={key}
      type="button"
      className={`alarm-figure tone-${count ? (tones[key as keyof typeof tones] ?? 'idle') : 'idle'}`}
      aria-pressed={hasSameConditions(conditions, address.query)}
      onClick={() => address.show(conditions)}
    >
      <span>{word}</span>
      <strong>{count === undefined ? '–' : countText(count)}</strong>
    </button>
  )
  return (
    <>
      <div className="alarm-figures" role="group" aria-label={t('summary')}>
        {alarmLevels.map((level) => figure(level, t(`level.${level}`), data?.[level], { level }))}
        {figure('unseen', t('preset.unseen'), data?.unseen, { state: 'open' })}
        {figure('mine', t('preset.mine'), data?.mine, { assignee: 'me' })}
      </div>
      {data !== undefined && data.stakeFen > 0 && (
        <p className="alarm-stake">
          {t('summary.stake')} <Money fen={data.stakeFen} /> <small>{t('stake.how')}</small>
        </p>
      )}
    </>
  )
}
