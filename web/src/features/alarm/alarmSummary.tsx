import { summariseAlarms } from '@aisle/contract/alarm/alarm'
import { alarmLevels } from '@aisle/contract/alarm/states'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './alarm.module.css'

const tones = { critical: 'bad', warning: 'warn', notice: 'idle' } as const

/** How much is wrong, each figure a filter; and what it costs, with how that is counted. */
export function AlarmSummary({ address }: { address: ListAddress }) {
  const t = useText('alarm')
  const { data } = useEndpoint(summariseAlarms, {}, { errors: 'silent' })
  return (
    <>
      <Tally
        label={t('summary')}
        address={address}
        figures={[
          ...alarmLevels.map((level) => ({
            name: level,
            word: t(`level.${level}`),
            tone: tones[level],
            count: data?.[level],
            query: { level },
          })),
          { name: 'unseen', word: t('preset.unseen'), tone: 'idle', count: data?.unseen, query: { state: 'open' } },
          { name: 'mine', word: t('preset.mine'), tone: 'idle', count: data?.mine, query: { assignee: 'me' } },
        ]}
      />
      {data !== undefined && data.stakeFen > 0 && (
        <p className={styles.stake}>
          {t('summary.stake')} <Money fen={data.stakeFen} /> <small>{t('stake.how')}</small>
        </p>
      )}
    </>
  )
}
