import { getDeviceLink } from '@aisle/contract/device/link'
import { Ago } from '../../../admin/fields/time'
import { ScreenLink } from '../../../admin/fields/ref'
import { useLive } from '../../../admin/useList'
import { useEndpoint } from '../../../live/query'
import { CopyButton } from '../../../ui/control/copy'
import { SecretOnce } from '../../../ui/feedback/secretOnce'
import { Section } from '../../../ui/feedback/drawer'
import { useText } from '../../../ui/text'
import { reasonText } from './machineLink'
import styles from './machine.module.css'

type Machine = { id: number; code: string }

/** For whoever stands before a machine that never spoke: what it needs to be told, and whether it was heard. */
export function FirstContact({ machine: { id, code } }: { machine: Machine }) {
  const t = useText('fleet')
  const device = useText('device')
  const { data } = useEndpoint(getDeviceLink, { id }, { errors: 'silent' })
  useLive({ topic: 'machines', also: [] }, [getDeviceLink])
  const refused = data?.refusals[0]
  return (
    <Section title={t('contact.title')}>
      <ol className={styles.steps}>
        <li>
          {t('contact.broker')} <Broker address={data?.brokerAddress} />
        </li>
        <li>
          {t('contact.account')} <code>{code}</code> <CopyButton text={code} />
        </li>
        <li>{t('contact.secret', { verb: t('verb.rotateSecret') })}</li>
        <li role="status">
          {refused ? (
            <>
              {t('contact.refused', { reason: reasonText(refused.reason, device) })} <Ago at={refused.at} />
            </>
          ) : (
            t('contact.waits')
          )}
        </li>
      </ol>
    </Section>
  )
}

function Broker({ address }: { address: string | null | undefined }) {
  const t = useText('fleet')
  if (address === undefined) return null
  if (address !== null) {
    return (
      <>
        <code>{address}</code> <CopyButton text={address} />
      </>
    )
  }
  return (
    <ScreenLink screen="xtgl/sz" search={{}}>
      {t('contact.brokerUnset')}
    </ScreenLink>
  )
}

/** A machine's secret, this once, to copy or to be read by what sets the machine up. */
export function MachineSecret({ machine, secret, onClose }: { machine: Machine; secret: string; onClose: () => void }) {
  const t = useText('fleet')
  const { id, code } = machine
  const { data } = useEndpoint(getDeviceLink, { id }, { errors: 'silent' })
  return (
    <SecretOnce
      title={t('secret.title', { code })}
      about={t('secret.once')}
      secret={secret}
      qr={JSON.stringify({ broker: data?.brokerAddress ?? null, account: code, password: secret })}
      onClose={onClose}
    />
  )
}
