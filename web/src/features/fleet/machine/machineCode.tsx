import { getCustomerAddress } from '@aisle/contract/support/customer'
import { useEndpoint } from '../../../live/query'
import { PrintButton } from '../../../ui/printed'
import { QrCode } from '../../../ui/qrCode'
import { useText } from '../../../ui/text'
import type { MachineDetail } from './machineDrawer'
import styles from './machine.module.css'

/** What a customer opens who got nothing for their money, and the code of it to put on the door. */
export function MachineCode({ machine: { id, code, name } }: { machine: MachineDetail }) {
  const t = useText('fleet')
  const { data } = useEndpoint(getCustomerAddress, { id }, { errors: 'silent' })
  if (!data) return null
  const address = data.address ?? `${location.origin}${data.path}`
  return (
    <>
      <a href={address} target="_blank" rel="noreferrer">
        {address}
      </a>
      <QrCode text={address} className={styles.code} label={t('place.code', { code })} />
      <PrintButton word={t('place.print')} part="customer-code">
        <h1>{t('place.scan')}</h1>
        <QrCode text={address} className={styles.codePrinted} label={t('place.code', { code })} />
        <p>
          {code} {name}
        </p>
      </PrintButton>
    </>
  )
}
