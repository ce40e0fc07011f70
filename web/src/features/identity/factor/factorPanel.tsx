import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getOwnSecondFactor, renewRecoveryCodes, turnOffSecondFactor } from '@aisle/contract/identity/secondFactor'
import { useState } from 'react'
import { CommandButton } from '../../../admin/commandButton'
import { refetch, useEndpoint } from '../../../live/query'
import { Tag } from '../../../ui/tag'
import { currentLocale, useText } from '../../../ui/text'
import { FactorSetup } from './factorSetup'
import { RecoveryCodes } from './recoveryCodes'
import styles from '../account.module.css'
import { businessDay } from '../../../ui/days'
import { dayText } from '../../../ui/timeText'

/** Whether a stolen password is enough. Off: what it is for, and how to turn it on. On: codes left, and off again. */
export function FactorPanel() {
  const t = useText('identity')
  const { data } = useEndpoint(getOwnSecondFactor, {})
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (!data) return <p role="status">{t('devices.loading')}</p>
  const kept = () => {
    setCodes(null)
    void refetch(getOwnSecondFactor)
  }
  if (codes) return <RecoveryCodes codes={codes} onKept={kept} />
  return (
    <section className={styles.panel}>
      <p className={styles.lead}>{t('factor.lead')}</p>
      {data.isRequired && <p className={styles.lead}>{t('factor.required')}</p>}
      {data.isOn ? <FactorOn factor={data} onCodes={setCodes} /> : <FactorSetup onCodes={setCodes} />}
    </section>
  )
}

type Factor = OutputOf<typeof getOwnSecondFactor>

function FactorOn({ factor, onCodes }: { factor: Factor; onCodes: (codes: readonly string[]) => void }) {
  const t = useText('identity')
  const since = factor.since && dayText(businessDay(Date.parse(factor.since)), currentLocale())
  return (
    <>
      <p className={styles.state}>
        <Tag tone="good" word={t('factor.on')} />
        <span>{t('factor.since', { day: since ?? '' })}</span>
        <span>{t('factor.codesLeft', { count: factor.recoveryLeft })}</span>
      </p>
      <div className={styles.actions}>
        <CommandButton
          endpoint={renewRecoveryCodes}
          verb="renewCodes"
          target={{}}
          vars={{}}
          t={t}
          changes={[getOwnSecondFactor]}
          onDone={({ recoveryCodes }) => onCodes(recoveryCodes)}
        />
        <CommandButton
          endpoint={turnOffSecondFactor}
          verb="turnOffFactor"
          target={{}}
          vars={{}}
          t={t}
          tone="danger"
          changes={[getOwnSecondFactor]}
        />
      </div>
    </>
  )
}
